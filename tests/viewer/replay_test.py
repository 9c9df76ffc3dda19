"""The replay page in a real browser: replay_test.py CASE PROGRAM RECORDER FOLDER

Makes recordings and pages in FOLDER, opens the pages in headless Chromium, offline, and checks what a person would see
against the recording, which h5py reads. Exit code 77: there is no browser, or no h5py."""
import json
import os
import subprocess
import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}; scripts/setup --test installs what this test needs")
    sys.exit(77)

from browser import Browser, find_browser

case, program, recorder, folder = sys.argv[1:5]
failures = []


def check(what, good, *values):
    if not good:
        failures.append(what)
        print(f"FAILED: {what}", *values)


def at(name):
    return os.path.join(folder, name)


def condyle(*arguments, code=(0,)):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode not in code:
        sys.exit(f"condyle {' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def page_of(name, *more):
    condyle("replay", at(name + ".h5"), "-o", at(name + ".html"), *more)
    return at(name + ".html")


def special():
    subprocess.run([recorder, folder], check=True, stdout=subprocess.DEVNULL)


def recorded_poses(file):
    """Body name -> frames × 7, from the file alone."""
    with h5py.File(file, "r") as f:
        n = int(f["frames_written"][()])
        scene = json.loads(f["scene/description"][()])
        moving = [b for b in scene["bodies"] if b["kind"] != "static"]
        links = sum(b["kind"] == "link" for b in moving)
        link, q = f["link_pose"][:n], f["q"][:n]
        first = q.shape[1] - 7 * (len(moving) - links)
        out = {b["name"]: link[:, 7 * i:7 * i + 7] if i < links else q[:, first + 7 * (i - links):first + 7 * (i - links) + 7]
               for i, b in enumerate(moving)}
        return out, f["time"][:n], scene


def clean(page, what):
    check(f"{what}: no page error", not page.errors and not page.js("condyle.errors.length"), page.errors, page.js("condyle.errors"))
    check(f"{what}: nothing is fetched but the file", [u for u in page.requests if not u.startswith("file://")] == [] and len(page.requests) == 1, page.requests)


def same_poses(page, file, what, tries=7):
    poses, times, _ = recorded_poses(file)
    quantum = page.js("condyle.quantum()")
    worst = worst_turn = 0.0
    for t in np.linspace(times[0], times[-1], tries):
        page.js(f"condyle.seek({t})")
        shown = int(np.argmin(np.abs(times - page.js("condyle.time()"))))
        names = list(poses)[:: max(1, len(poses) // 40)]
        for name, pose in zip(names, page.js(f"{json.dumps(names)}.map((n) => condyle.pose(n))")):
            truth = poses[name][shown]
            worst = max(worst, np.abs(np.array(pose[:3]) - truth[:3]).max())
            turn = np.array(pose[3:]), truth[3:] / np.linalg.norm(truth[3:])
            worst_turn = max(worst_turn, min(np.abs(turn[0] - turn[1]).max(), np.abs(turn[0] + turn[1]).max()))
    print(f"{what}: poses off by at most {worst:.3g} m (quantum {quantum:g}), quaternions by {worst_turn:.3g}")
    check(f"{what}: poses equal the recording's to half a quantum", worst <= 0.5001 * quantum, worst, quantum)
    check(f"{what}: rotations equal the recording's", worst_turn <= 1.1e-5, worst_turn)


def same_contacts(page, file, what):
    with h5py.File(file, "r") as f:
        times, offset, kind, force = f["time"][:], f["constraints/offset"][:], f["constraints/kind"][:], f["constraints/force"][:]
        t = times[-1]
        page.js(f"condyle.seek({t})")
        rows = [i for i in range(int(offset[len(times) - 1]), int(offset[len(times)])) if kind[i] == 0]
        contacts = page.js("condyle.contacts()")
        check(f"{what}: as many contacts as the recording has", len(contacts) == len(rows), len(contacts), len(rows))
        loaded = sum(np.linalg.norm(force[i]) > 0 for i in rows)
        check(f"{what}: an arrow for each contact with a force", page.js("condyle.visibleArrows()") == loaded, page.js("condyle.visibleArrows()"), loaded)
        mine, theirs = sum(c["size"] for c in contacts), sum(np.linalg.norm(force[i]) for i in rows)
        check(f"{what}: the forces' sizes add up as in the recording", abs(mine - theirs) <= 4e-3 * theirs + 1e-12, mine, theirs)
    page.js("condyle.toggle('forces')")
    check(f"{what}: no arrow when they are off", page.js("condyle.visibleArrows()") == 0)
    page.js("condyle.toggle('forces')")


def seen(page, what, least=20):
    colors = page.js("condyle.colors()")
    check(f"{what}: the picture is not blank", colors > least, colors)
    for width, height in ((1280, 800), (1366, 768)):
        page.size(width, height)
        over = page.js("""[...document.querySelectorAll('#header, #header > *, main, footer, footer > *, #view, #plots, #tables, .toolbar, .toolbar > *, .legend, .facts')].filter((e) => {
            const b = e.getBoundingClientRect(); return b.right > innerWidth + 1 || b.bottom > innerHeight + 1; }).map((e) => e.id || e.className)""")
        wide = page.js("document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight")
        check(f"{what}: nothing runs out of {width}x{height}", not over and not wide, over)
    page.size(1280, 800)


def print_size(page, file, what, most_cpu_s=2.2):
    """Sizes and load times. The limit of CPU is twice what the design measured: 1.1 s for a robot, 2.5 s for 1000 boxes; time
    by the clock says more of what else the machine does."""
    used = page.metrics()
    print(f"{what}: {os.path.getsize(file) / 1e6:.2f} MB, loaded with {used['ProcessTime']:.2f} s of CPU and {used['JSHeapUsedSize'] / 1e6:.0f} MB of heap "
          f"({page.load_s:.1f} s by the clock), {page.js('condyle.draws()')} draws, {page.js('condyle.triangles()')} triangles")
    check(f"{what}: within the limit of 20 MB", os.path.getsize(file) <= 20e6)
    check(f"{what}: loads with at most {most_cpu_s} s of CPU", used["ProcessTime"] <= most_cpu_s, used["ProcessTime"])


def controls(page, what):
    """Scrubbing, keys, plots that follow, a zoom by dragging."""
    n = page.js("condyle.frameCount")
    page.js("condyle.seek(0); document.body.focus()")
    for key, shift, frame in (("ArrowRight", False, 1), ("ArrowRight", True, 11), ("ArrowLeft", False, 10), ("End", False, n - 1), ("Home", False, 0)):
        page.key(key, shift=shift)
        check(f"{what}: {key} leads to frame {frame}", page.js("condyle.frame()") == frame, page.js("condyle.frame()"))
    box = page.js("(({left, top, width, height}) => [left, top, width, height])(document.querySelector('.timeline').getBoundingClientRect())")
    page.click(box[0] + box[2] / 2, box[1] + box[3] / 2)
    middle = page.js("condyle.frame()")
    check(f"{what}: a click in the middle of the timeline leads to the middle", abs(middle - n / 2) <= 0.03 * n + 1, middle, n)
    page.drag(box[0] + box[2] / 2, box[1] + box[3] / 2, box[0] + 0.25 * box[2], box[1] + box[3] / 2)
    check(f"{what}: dragging scrubs", abs(page.js("condyle.frame()") - n / 4) <= 0.04 * n + 1, page.js("condyle.frame()"), n)
    t = page.js("condyle.time()")
    plots = page.js("condyle.plots()")
    check(f"{what}: there are plots", len(plots) >= 4, plots)
    check(f"{what}: all plots stand at the cursor's time", all(abs(p["time"] - t) < 1e-12 for p in plots), plots, t)
    before = [p["cursor"] for p in plots]
    page.key("ArrowRight", shift=True)
    check(f"{what}: the plots' cursors move", all(a != b["cursor"] for a, b in zip(before, page.js("condyle.plots()"))))
    over = page.js("(({left, top, width, height}) => [left, top, width, height])(document.querySelector('.plot .u-over').getBoundingClientRect())")
    page.drag(over[0] + 0.2 * over[2], over[1] + over[3] / 2, over[0] + 0.6 * over[2], over[1] + over[3] / 2)
    windows = page.js("condyle.plots().map((p) => p.window)")
    length = page.js("condyle.app.recording.t1 - condyle.app.recording.t0")
    check(f"{what}: a drag on a plot zooms all of them", all(abs((w[1] - w[0]) - 0.4 * length) < 0.05 * length and w == windows[0] for w in windows), windows)
    page.key("0")
    check(f"{what}: 0 shows all time", abs(page.js("condyle.plots()[0].window[1]") - page.js("condyle.app.recording.t1")) < 1e-9)
    page.click(over[0] + 0.5 * over[2], over[1] + over[3] / 2)
    check(f"{what}: a click on a plot goes there", abs(page.js("condyle.time()") - page.js("condyle.app.recording.t0") - 0.5 * length) < 0.04 * length, page.js("condyle.time()"))
    start = page.js("condyle.app.setSpeed(0.02) ?? condyle.seek(0)")  # slow: a loaded machine must not reach the end
    page.key(" ")
    page.wait_for(f"condyle.frame() > {start}", 60)
    page.key(" ")
    check(f"{what}: Space plays and pauses", page.js("!condyle.app.playing && condyle.frame() > 0"))
    page.key("x")
    check(f"{what}: X is X-ray", page.js("condyle.app.view.shown.xray && document.querySelector('[title^=\"X-ray\"]').getAttribute('aria-pressed') === 'true'"))
    page.key("x")
    names = page.js("""[...document.querySelectorAll('button, select, input, canvas, [role=slider], [role=separator]')].filter((e) =>
        !(e.getAttribute('aria-label') || e.textContent.trim() || e.getAttribute('aria-hidden'))).map((e) => e.outerHTML.slice(0, 80))""")
    check(f"{what}: every control has a name", not names, names)


WALK = """(() => { const e = document.activeElement; if (!e || e === document.body) return null;
    const b = e.getBoundingClientRect(), s = getComputedStyle(e);
    return {name: (e.getAttribute('aria-label') || e.textContent).trim().replace(/\\s+/g, ' ').slice(0, 60), tag: e.tagName,
            seen: b.width > 0 && b.height > 0 && s.visibility === 'visible', ring: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0}; })()"""


def keyboard_only(page, what):
    """Every control can be reached, seen and used without a mouse."""
    page.js("condyle.seek(1e9); document.activeElement?.blur()")
    for _ in range(200):  # to the end of the page, then once through all of it
        page.key("Tab")
        if page.js(WALK) is None:
            break
    stops = []
    while len(stops) < 200:
        page.key("Tab")
        stop = page.js(WALK)
        if stop is None:
            break
        stops.append(stop)
    names = [s["name"] for s in stops]
    check(f"{what}: the walk with Tab ends", 10 < len(stops) < 100, len(stops))
    check(f"{what}: each stop is seen and has a ring", all(s["seen"] and s["ring"] for s in stops), [s for s in stops if not (s["seen"] and s["ring"])])
    for wanted in ("certified", "help", "light or dark", "reset the view", "Top", "camera follows", "Forces", "Cones", "X-ray", "Show", "length of arrows",
                   "height of the tables", "Contacts", "Bodies", "Events", "Run", "add a plot", "All time", "remove the plot Residual", "play or pause", "speed", "time", "next event"):
        check(f"{what}: Tab leads to '{wanted}'", any(wanted in n for n in names), names)
    check(f"{what}: one row of the table is a stop", sum(s["tag"] == "TR" for s in stops) == 1, [s["tag"] for s in stops])

    def go(wanted):
        for _ in range(200):
            page.key("Tab")
            stop = page.js(WALK)
            if stop and wanted(stop):
                return
        check(f"{what}: something is there to go to", False, wanted)

    go(lambda s: s["tag"] == "TR")
    page.key("Enter")
    first = page.js("condyle.app.view.chosenContact")
    check(f"{what}: Enter on a row chooses its contact and keeps the place", first >= 0 and page.js("document.activeElement.tagName") == "TR", first)
    page.key("ArrowDown")
    page.key("Enter")
    check(f"{what}: an arrow leads to the next row", page.js("condyle.app.view.chosenContact") not in (-1, first))
    go(lambda s: s["name"].startswith("Show"))
    page.key("Enter")
    page.key("Tab")
    page.key("Enter")
    check(f"{what}: the menu opens and its first entry toggles", page.js("condyle.app.view.shown.points"))
    page.key("Enter")
    page.key("Escape")
    check(f"{what}: Escape closes the menu", page.js("document.querySelector('.menu').hidden && document.activeElement.textContent.startsWith('Show')"))
    go(lambda s: s["name"] == "add a plot")
    before = page.js("condyle.plots().length")
    for letter in "velocity":
        page.key(letter)
    page.key("ArrowDown")
    page.key("Enter")
    check(f"{what}: a plot is found and added by keys", page.js("condyle.plots().length") == before + 1 and any("elocity" in p for p in page.js("condyle.plots().map((p) => p.title)")),
          page.js("condyle.plots().map((p) => p.title)"))
    go(lambda s: s["name"] == "height of the tables")
    height = page.js("document.getElementById('tables').clientHeight")
    page.key("ArrowUp")
    check(f"{what}: the tables grow by a key", page.js("document.getElementById('tables').clientHeight") > height)
    page.key("ArrowDown")
    page.key("?")
    check(f"{what}: ? opens the help", page.js("document.querySelector('dialog').open"))
    page.key("Escape")
    check(f"{what}: Escape closes it", not page.js("document.querySelector('dialog').open"))
    for letter, name in (("f", "forces"), ("k", "cones"), ("p", "points"), ("v", "visual"), ("c", "collision"), ("m", "com"), ("l", "loops"), ("r", "frames"), ("g", "ghost")):
        was = page.js(f"condyle.app.view.shown.{name}")
        page.key(letter)
        check(f"{what}: {letter} toggles {name}", page.js(f"condyle.app.view.shown.{name}") != was)
        page.key(letter)
    page.key("[")
    check(f"{what}: [ is slower", page.js("condyle.app.speed") < 1, page.js("condyle.app.speed"))
    page.key("]")
    for letter in "713h":
        at = page.js("condyle.app.view.camera.position.toArray().map((x) => x.toFixed(6)).join()")
        page.key(letter)
        check(f"{what}: {letter} moves the camera", page.js("condyle.app.view.camera.position.toArray().map((x) => x.toFixed(6)).join()") != at)
    page.js("document.activeElement?.blur()")


# every visible text against what is behind it, as WCAG 2 has it; text of the plots is drawn in --faint and --bad on --panel
CONTRAST = """(() => {
    const rgb = (c) => { const m = c.match(/[\\d.]+/g).map(Number); return c.startsWith('color(srgb') ? [m[0] * 255, m[1] * 255, m[2] * 255, m[3] ?? 1] : [m[0], m[1], m[2], m[3] ?? 1]; };
    const light = ([r, g, b]) => [r, g, b].map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
    const behind = (e) => { let c = [255, 255, 255]; const all = []; for (let p = e; p; p = p.parentElement) all.unshift(p);
        for (const p of all) { const b = rgb(getComputedStyle(p).backgroundColor); c = c.map((v, i) => v * (1 - b[3]) + b[i] * b[3]); } return c; };
    const out = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
        const e = n.parentElement;
        if (!n.textContent.trim() || !e.checkVisibility() || e.closest('script, noscript, option')) continue;
        const s = getComputedStyle(e), size = parseFloat(s.fontSize), large = size >= 24 || (size >= 18.66 && s.fontWeight >= 700);
        out.push([ratio(rgb(s.color), behind(e)), large ? 3 : 4.5, n.textContent.trim().slice(0, 40)]);
    }
    const css = (name) => { const d = document.createElement('i'); d.style.color = `var(${name})`; document.body.append(d); const c = rgb(getComputedStyle(d).color); d.remove(); return c; };
    for (const [a, b, least] of [['--faint', '--panel', 4.5], ['--bad', '--panel', 4.5], ['--faint', '--view', 4.5], ['--accent', '--panel', 3], ['--run-a', '--panel', 3], ['--run-b', '--panel', 3],
        ...['stick', 'slip', 'open'].flatMap((n) => [[`--${n}`, '--panel', 3], [`--${n}`, '--floor', 2.5]]), ...[1, 2, 3, 4, 5, 6, 7, 8].map((k) => [`--c${k}`, '--panel', 3])])
        out.push([ratio(css(a), css(b)), least, `${a} on ${b}`]);
    return out; })()"""


def contrast(page, what):
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])  # colours change at once
    for theme in ("dark", "light"):
        page.js(f"document.documentElement.dataset.theme = '{theme}'")
        pairs = page.js(CONTRAST)
        low = [p for p in pairs if p[0] < p[1]]
        check(f"{what}, {theme}: all {len(pairs)} texts and colours stand out from their ground", not low and len(pairs) > 40, low)
        print(f"{what}, {theme}: least contrast of {len(pairs)} texts and colours {min(p[0] for p in pairs if p[1] == 4.5):.2f} (4.5 is asked)")


def plotted(page, file, what, titles):
    """The plots are there, and the values in their titles are the recording's at the cursor."""
    plots = {p["title"]: p for p in page.js("condyle.plots()")}
    check(f"{what}: the plots {', '.join(titles)}", set(titles) <= set(plots), list(plots))
    with h5py.File(file, "r") as f:
        time_, energy, iterations = f["time"][:], sum(f[f"report/energy_{k}"][:] for k in ("kinetic", "potential", "elastic")), f["report/iterations"][:]
        tolerance, residual = f.attrs["tolerance"], f["report/residual"][:]
    line = page.js("(({line, lineLabel}) => [line, lineLabel])(condyle.app.plots.plots.find((p) => p.spec.title === 'Residual').spec)")
    check(f"{what}: the residual's plot has the line of the tolerance", line[0] == tolerance and line[1].startswith("tolerance"), line, tolerance)
    for t in (0.25, 0.5, 0.9):
        page.js(f"condyle.seek({t} * condyle.app.recording.t1)")
        i = int(np.argmin(np.abs(time_ - page.js("condyle.time()"))))
        values = {title: page.js(f"(() => {{ const p = condyle.app.plots.plots.find((p) => p.spec.title === '{title}'), k = p.at(condyle.time()); return p.spec.series[0].y[k]; }})()")
                  for title in ("Energy", "Iterations", "Residual")}
        shown = page.js("condyle.plots().find((p) => p.title === 'Iterations').values")
        check(f"{what}: values at the cursor are the recording's", abs(values["Energy"] - energy[i]) < 1e-5 * np.nanmax(abs(energy)) and values["Iterations"] == iterations[i]
              and abs(values["Residual"] - residual[i]) <= 1e-6 * residual[i] and f"iterations {iterations[i]:g}" in shown, values, energy[i], iterations[i], residual[i], shown)


def pictures(page, name, t=None):
    if t is not None:
        page.js(f"condyle.seek({t})")
    first = page.screenshot(at(name + "-light.png"))
    check(f"{name}: two pictures of one time are equal", first == page.screenshot())
    page.key("t")
    page.js("condyle.app.view && condyle.app.view.render()")
    page.screenshot(at(name + "-dark.png"))
    page.key("t")
    return first


def demo(browser):
    """The demo's scene, from `run --replay` itself; then again by another process from the recording alone."""
    condyle("run", "quadruped_drop", "--record", at("demo.h5"), "--replay", at("demo.html"))
    with open(at("demo.html"), "rb") as f:
        first = f.read()
    page_of("demo")
    with open(at("demo.html"), "rb") as f:
        check("a second process writes the identical page from the recording", first == f.read())
    page = browser.open(at("demo.html"), hash="theme=light")
    print_size(page, at("demo.html"), "demo")
    scene = recorded_poses(at("demo.h5"))[2]
    check("demo: as many bodies as the scene has", page.js("condyle.bodyCount") == scene["moving_bodies"], page.js("condyle.bodyCount"))
    check("demo: the scene's name is in the header", page.js("document.querySelector('h1').textContent") == scene["name"])
    check("demo: the verdict is good", page.js("condyle.notCertified()") == 0 and "certified" in page.js("document.querySelector('.verdict.good').textContent"))
    check("demo: the command is told", "condyle run quadruped_drop" in page.js("document.querySelector('.command').textContent"))
    same_poses(page, at("demo.h5"), "demo")
    same_contacts(page, at("demo.h5"), "demo")
    controls(page, "demo")
    plotted(page, at("demo.h5"), "demo", ("Residual", "Energy", "Iterations", "Step time", "Joint position", "Joint velocity", "Joint torque"))
    keyboard_only(page, "demo")
    contrast(page, "demo")
    seen(page, "demo")
    one = pictures(page, "demo", 0.0)
    check("demo: another time looks different", one != pictures(page, "demo-end", 1e9))
    page.js("condyle.fit('iso')")
    name = next(b["name"] for b in scene["bodies"] if b.get("moves") and any(s["body"] >= 0 and scene["bodies"][s["body"]]["name"] == b["name"] for s in scene["shapes"]))
    x, y = page.js(f"condyle.project({json.dumps(name)})")
    box = page.js("(({left, top}) => [left, top])(document.getElementById('view').getBoundingClientRect())")
    hit = page.js(f"condyle.app.recording.bodies[condyle.app.view.bodyAt({x}, {y})]?.name ?? null")
    page.click(box[0] + x, box[1] + y)
    check("demo: a click on a body selects what is there", page.js("condyle.selected()") == hit and hit is not None, hit)
    check("demo: and shows its card", page.js("!document.querySelector('.card').hidden"))
    rows = page.js("document.querySelectorAll('.table-area tbody tr').length")
    check("demo: contacts are listed", rows == min(150, page.js("condyle.contacts().length")) and rows > 0, rows)
    page.js("document.querySelector('.table-area tbody tr').click()")
    check("demo: a click on a row makes its arrow amber", page.js("condyle.app.view.chosenContact >= 0 && [...condyle.app.view.arrows.attributes.state.array].includes(3)"))
    page.screenshot(at("demo-selected.png"))
    clean(page, "demo")
    page.close()


def pile(browser):
    special()
    file = page_of("pile")
    page = browser.open(file, hash="theme=light")
    print_size(page, file, "pile of 1000", 5)
    check("pile: 1000 bodies", page.js("condyle.bodyCount") == 1000 and page.js("condyle.instances()") == 1000, page.js("condyle.bodyCount"))
    same_poses(page, at("pile.h5"), "pile", 3)
    same_contacts(page, at("pile.h5"), "pile")
    check("pile: few draws", page.js("condyle.draws()") <= 10, page.js("condyle.draws()"))
    seen(page, "pile")
    page.screenshot(at("pile-light.png"))
    clean(page, "pile")
    page.close()
    out = condyle("replay", at("pile.h5"), "-o", at("small.html"), "--replay-max", "1.1", "--json", "-")
    dropped = json.loads(out)["dropped"]
    check("pile: a limit of 1.1 MB holds", os.path.getsize(at("small.html")) <= 1.1e6, os.path.getsize(at("small.html")))
    page = browser.open(at("small.html"), hash="theme=light")
    check("pile: what was left out is said on the page, in the same words", dropped and page.js("condyle.app.recording.head.dropped") == dropped
          and all(d in page.js("condyle.app.tables.runPage.textContent") for d in dropped) and page.js("!!document.querySelector('.warning.amber')"), dropped)
    page.js("condyle.seek(1)")
    counts = page.js("[condyle.contacts().length, condyle.app.recording.contactTotal[condyle.frame()], condyle.visibleArrows()]")
    check("pile: fewer contacts, but their true number", counts[0] < counts[1] == 4000 and counts[2] == counts[0], counts)
    strongest = page.js("Math.min(...condyle.contacts().map((c) => c.size))")
    with h5py.File(at("pile.h5"), "r") as f:
        force = np.sort(np.linalg.norm(f["constraints/force"][-4000:], axis=1))[::-1]
    check("pile: those that stay are the strongest", abs(strongest - force[counts[0] - 1]) < 3e-3 * strongest, strongest, force[counts[0] - 1])
    clean(page, "reduced pile")
    page.close()


def heap(browser):
    """A heap that was simulated."""
    condyle("run", "box_pile", "--set", "n=24", "--time", "0.5", "--record", at("heap.h5"), code=(0, 1))
    file = page_of("heap")
    page = browser.open(file, hash="theme=dark")
    print_size(page, file, "heap of 24")
    same_poses(page, at("heap.h5"), "heap", 4)
    same_contacts(page, at("heap.h5"), "heap")
    seen(page, "heap")
    page.screenshot(at("heap-dark.png"))
    clean(page, "heap")
    page.close()


def robots(browser):
    """A real robot: its meshes are drawn, reduced where they are large, and the page says so."""
    done = subprocess.run([program, "run", "robot:anymal", "--time", "0.05", "--record", at("robot.h5")], capture_output=True, text=True)
    if done.returncode == 2:
        print(f"skipped: {done.stderr.strip()[:200]}; scripts/setup --robots installs it")
        sys.exit(77)
    file = page_of("robot")
    page = browser.open(file, hash="theme=light")
    print_size(page, file, "a real robot")
    with h5py.File(at("robot.h5"), "r") as f:
        scene = json.loads(f["scene/description"][()])
        drawn = len(f["scene/triangles"])
    visual = [s for s in scene["shapes"] if s["role"] == "visual" and s["kind"] == "mesh" and "mesh" in s]
    seen_of = {s["body"] for s in scene["shapes"] if s["role"] == "visual"}
    shown = sum(scene["meshes"][s["mesh"]]["triangles"] for s in visual)
    check("robot: it has meshes", len(visual) > 10 and drawn > 20000, len(visual), drawn)
    check("robot: every triangle of every visual mesh is drawn", page.js("condyle.triangles()") >= shown, page.js("condyle.triangles()"), shown)
    batches = page.js("condyle.app.view.look.batches.filter((b) => !['BoxGeometry', 'SphereGeometry', 'CylinderGeometry', 'ConeGeometry'].includes(b.mesh.geometry.type)).reduce((n, b) => n + b.items.length, 0)")
    check("robot: each link has its meshes", batches >= len(visual) > 0 and seen_of, batches, len(visual))
    reduced = [m for m in scene["meshes"] if m.get("triangles_before", m["triangles"]) > m["triangles"]]
    check("robot: no mesh has more than 20 000 triangles, and some had", reduced and all(m["triangles"] <= 20000 for m in scene["meshes"]), reduced)
    words = page.js("condyle.app.tables.runPage.textContent")
    check("robot: the page says what was reduced", page.js("!!document.querySelector('.warning.amber')") and all(f"of {m['triangles_before']} triangles" in words for m in reduced), words[:300])
    same_poses(page, at("robot.h5"), "robot", 3)
    seen(page, "robot")
    pictures(page, "robot", 0.05)
    clean(page, "robot")
    page.close()


def loops(browser):
    condyle("run", "fourbars", "--time", "0.6", "--record", at("loops.h5"))
    file = page_of("loops")
    page = browser.open(file, hash="theme=light")
    print_size(page, file, "loops")
    scene = recorded_poses(at("loops.h5"))[2]
    check("loops: the scene has loops", len(scene["closures"]) > 0)
    page.js("condyle.seek(0.3); condyle.app.tables.choose(condyle.app.tables.tabs.findIndex((t) => t.name === 'Loops'))")
    rows = page.js("[...document.querySelectorAll('.table-area tbody tr')].map((r) => r.textContent)")
    check("loops: each loop has a row with its name", len(rows) == len(scene["closures"]) and all(any(c["name"] in r for r in rows) for c in scene["closures"]), rows)
    check("loops: the error is plotted", any(p["title"] == "Closure error" for p in page.js("condyle.plots()")), page.js("condyle.plots().map((p) => p.title)"))
    with h5py.File(at("loops.h5"), "r") as f:
        error = f["report/closure_m"][1:].max()
    shown = page.js("(() => { const r = condyle.app.recording, s = r.head.series.find((s) => s.name === 'closure_m'); return r.series(s).reduce((a, b) => (b > a ? b : a), 0); })()")
    check("loops: its largest value is the recording's", abs(shown - error) <= 1e-3 * error, shown, error)
    same_poses(page, at("loops.h5"), "loops")
    seen(page, "loops")
    page.js("condyle.seek(0.3)")
    pictures(page, "loops")
    clean(page, "loops")
    page.close()


def uncertified(browser):
    special()
    file = page_of("uncertified")
    page = browser.open(file, hash="theme=light")
    text = page.js("document.querySelector('.verdict').textContent")
    check("uncertified: the header counts them and names the worst", "3 of 1500 steps not certified" in text and "0.0012 at 1.203 s" in text, text)
    page.js("document.querySelector('.verdict').click()")
    check("uncertified: the verdict leads to that very step", abs(page.js("condyle.time()") - 1.203) < 1e-9, page.js("condyle.time()"))
    page.key("Home")
    times = []
    for _ in range(3):
        page.key("n")
        times.append(round(page.js("condyle.time()"), 6))
    check("uncertified: N goes from one to the next", times == [0.301, 0.702, 1.203], times)
    page.key("b")
    check("uncertified: B goes back", abs(page.js("condyle.time()") - 0.702) < 1e-9)
    check("uncertified: they are marked in the residual's plot", page.js("condyle.app.plots.plots[0].spec.marks.length") == 3)
    seen(page, "uncertified")
    contrast(page, "uncertified")
    pictures(page, "uncertified")
    clean(page, "uncertified")
    page.close()
    with open(file) as f:
        text = f.read()
    lie = text.replace('"verdict":{"certified":false,"steps":1500,"uncertified":3', '"verdict":{"certified":true,"steps":1500,"uncertified":0')
    check("uncertified: the stored verdict was found", lie != text)
    with open(at("lie.html"), "w") as f:
        f.write(lie)
    page = browser.open(at("lie.html"))
    check("uncertified: a stored verdict that the residuals contradict is called so", page.js("document.querySelector('.warning.bad')?.textContent ?? ''").startswith("the program stored")
          and page.js("condyle.notCertified()") == 3, page.js("document.querySelector('#header').textContent"))
    page.close()


def broken(browser):
    special()
    for name in ("empty", "one", "nobody", "hostile", "nan"):
        page = browser.open(page_of(name), hash="theme=light")
        check(f"{name}: it opens", page.js("condyle.ready && !condyle.stopped"), page.js("condyle.stopped"))
        for key in ("End", "Home", "ArrowRight", "n", "b", " ", "f", "k", "p", "m", "r", "l", "x", "c", "v", "7", "0"):
            page.key(key)
        page.js("condyle.app.tables.tabs.forEach((_, i) => condyle.app.tables.choose(i)); condyle.seek(1e9)")
        page.screenshot(at(name + ".png"))
        clean(page, name)
        frames = {"empty": 0, "one": 1, "nobody": 10, "hostile": 21, "nan": 21}[name]
        bodies = {"nobody": 0, "hostile": 3, "nan": 3}.get(name, 2)
        check(f"{name}: {frames} frames, {bodies} bodies", [page.js("condyle.frameCount"), page.js("condyle.bodyCount")] == [frames, bodies],
              page.js("condyle.frameCount"), page.js("condyle.bodyCount"))
        if name == "hostile":
            check("hostile: no element of its own appeared", page.js("document.images.length === 0 && window.hacked === undefined"))
            check("hostile: the name is shown as it is", page.js("document.querySelector('h1').textContent").startswith("</script><script><img"))
        if name == "nan":
            check("nan: bodies without a place are hidden", page.js("condyle.hidden()") == 2, page.js("condyle.hidden()"))
            page.js("condyle.app.view.shown.frames || condyle.toggle('frames'); condyle.seek(1e9)")
            axes = page.js("Array.from({length: 3}, (_, b) => { const a = condyle.app.view.axes.geometry.attributes.position.array; return Math.hypot(a[18 * b] - a[18 * b + 3], a[18 * b + 1] - a[18 * b + 4], a[18 * b + 2] - a[18 * b + 5]) > 0; })")
            check("nan: and have no axes", axes == [False, False, True], axes)
            page.js("condyle.app.tables.choose(condyle.app.tables.tabs.findIndex((t) => t.name === 'Bodies'))")
            check("nan: they are listed as such", page.js("[...document.querySelectorAll('.table-area tbody tr')].filter((r) => r.textContent.includes('not a number')).length") == 2)
            check("nan: they are not certified", page.js("condyle.notCertified()") == 10 and "not a number" in page.js("document.querySelector('.verdict.bad').textContent"),
                  page.js("document.querySelector('.verdict').textContent"))
        page.close()
    page = browser.open(page_of("unfinished"), hash="theme=light")
    check("unfinished: what was written until then is shown and called so", page.js("condyle.app.recording.head.steps.recorded") == 1501
          and page.js("[...document.querySelectorAll('.warning.amber')].some((e) => e.textContent === 'unfinished')"), page.js("document.getElementById('header').textContent"))
    clean(page, "unfinished")
    page.close()
    with open(at("uncertified.h5"), "rb") as f:
        data = f.read()
    for name, part in (("cut at a third", data[:len(data) // 3]), ("cut in its head", data[:5000]), ("empty file", b"")):
        with open(at("cut.h5"), "wb") as f:
            f.write(part)
        if os.path.exists(at("cut_recording.html")):
            os.remove(at("cut_recording.html"))
        done = subprocess.run([program, "replay", at("cut.h5"), "-o", at("cut_recording.html")], capture_output=True, text=True)
        check(f"recording {name}: refused by name, and no page is left", done.returncode == 2 and "cut.h5" in done.stderr and not os.path.exists(at("cut_recording.html")),
              done.returncode, done.stderr)
    with open(at("hostile.html")) as f:
        text = f.read()
    arrays, head = text.index('id="condyle-arrays"'), text.index('id="condyle-recording"')
    for name, end in (("arrays", arrays + 600), ("head", head + 900), ("script", text.index("<script>") + 40000)):
        with open(at("cut.html"), "w") as f:
            f.write(text[:end])
        page = browser.open(at("cut.html"), wait="document.readyState === 'complete'")
        shown = page.js("document.getElementById('message').textContent")
        check(f"cut in the {name}: the page says so", "incomplete" in shown or (name == "script" and "Loading" in shown), shown)
        page.close()
    body = arrays + 400
    with open(at("damaged.html"), "w") as f:
        f.write(text[:body] + ("A" if text[body] != "A" else "B") + text[body + 1:])
    page = browser.open(at("damaged.html"))
    shown = page.js("document.getElementById('message').textContent")
    check("damaged: the array is named", "array" in shown and "damaged" in shown, shown)
    check("damaged: no page error", not page.errors, page.errors)
    page.close()
    with open(at("later.html"), "w") as f:
        f.write(text.replace('"format":"condyle-replay","version":1', '"format":"condyle-replay","version":2'))
    page = browser.open(at("later.html"))
    shown = page.js("document.getElementById('message').textContent")
    check("later version: both are named", "version 2" in shown and "version 1" in shown, shown)
    page.close()


def no_webgl(_):
    special()
    file = page_of("uncertified")
    browser = Browser(flags=["--disable-gpu", "--disable-3d-apis"])
    try:
        page = browser.open(file)
        check("no WebGL: the view says why", "no 3D" in page.js("document.querySelector('.no-view')?.textContent ?? ''"))
        page.key("End")
        check("no WebGL: plots, tables and header work", page.js("condyle.plots().length") >= 4 and page.js("condyle.frame() === condyle.frameCount - 1")
              and page.js("document.querySelectorAll('.table-area tbody tr').length") == 12)
        check("no WebGL: the page itself threw nothing", not page.js("condyle.errors.length"), page.js("condyle.errors"))
        page.screenshot(at("no-webgl.png"))
        page.close()
    finally:
        browser.close()


def compare(browser):
    for name, solver in (("a", "auto"), ("b", "pgs-ncp")):
        condyle("run", "stack", "--set", "n=4", "--time", "0.5", "--solver", solver, "--max-iterations", "2000", "--record", at(name + ".h5"), code=(0, 1))
    condyle("replay", at("a.h5"), at("b.h5"), "-o", at("compare.html"))
    page = browser.open(at("compare.html"), hash="theme=light")
    a, times, _ = recorded_poses(at("a.h5"))
    b = recorded_poses(at("b.h5"))[0]
    page.js("condyle.seek(0.4)")
    f = int(np.argmin(np.abs(times - page.js("condyle.time()"))))
    truth = max(np.linalg.norm(a[n][f][:3] - b[n][f][:3]) for n in a)
    shown = page.js("condyle.app.plots.plots.find((p) => p.spec.title.startsWith('Largest distance')).spec.series[0].y[condyle.frame()]")
    check("compare: the largest distance is the recordings'", abs(shown - truth) <= 2 * page.js("condyle.quantum()"), shown, truth)
    check("compare: two verdicts", page.js("document.querySelectorAll('.verdict').length") == 2)
    residual = page.js("condyle.app.plots.plots.find((p) => p.spec.title === 'Residual').spec.series.map((s) => s.name + s.color)")
    check("compare: both runs in one plot, by colour, A on top", residual == ["B residual--run-b", "A residual--run-a"], residual)
    check("compare: the ghost is there and can be hidden", page.js("condyle.app.view.ghost.instances") == 4 and page.js("condyle.toggle('ghost')") is False)
    page.js("condyle.toggle('ghost')")
    check("compare: what is wrong in B can be gone to, and is marked", page.js("condyle.app.events.filter((e) => e.text.startsWith('run B')).length") == page.js("condyle.other.bad.length") > 0)
    check("compare: the Run tab has both commands", page.js("condyle.app.tables.runPage.textContent.match(/condyle run stack/g).length") == 2)
    seen(page, "compare")
    contrast(page, "compare")
    page.js("condyle.seek(0.2)")
    pictures(page, "compare")
    clean(page, "compare")
    page.close()


def study(browser):
    rows = [{"file": f"p{i}.dat", "solver": s, "status": "solved" if (i + k) % 7 else "stalled", "rows": 30 * (i + 1), "contacts": 10 * (i + 1), "iterations": (k + 1) * (i + 3),
             "time_ms": (k + 1) * 0.1 * (i + 1) ** 1.5, "residual": {"natural": 10.0 ** -(6 + (i + k) % 5), "scaled": 1e-9}} for i in range(20) for k, s in enumerate(("admm", "pgs-ncp", "sap"))]
    curves = [{"solver": s, "problem": "p3.dat", "iterations": list(range(1, 40)), "residual": [10.0 ** (-0.1 * (k + 1) * j) for j in range(1, 40)]} for k, s in enumerate(("admm", "sap"))]
    with open(at("study.json"), "w") as f:
        json.dump({"format": "condyle-study", "version": 1, "title": "three solvers <b>", "command": "a test", "tolerance": 1e-8, "rows": rows, "curves": curves}, f)
    with open(at("bench.json"), "w") as f:
        json.dump({"benchmarks": [{"name": f"solve/{s}/{n}", "real_time": n * n * (k + 1), "time_unit": "us"} for k, s in enumerate(("dense", "sparse")) for n in (10, 100, 1000)]}, f)
    condyle("replay", at("study.json"), at("bench.json"), "-o", at("study.html"))
    page = browser.open(at("study.html"), hash="theme=light")
    plots = {p["title"]: p for p in page.js("condyle.plots()")}
    check("study: all kinds of plots", {"Performance profile, time", "Performance profile, iterations", "Residual reached against iterations", "Residual against iterations: p3.dat", "Cost against size"} <= set(plots), list(plots))
    p = plots["Performance profile, time"]
    best = p["y"][p["series"].index("admm")][0]
    truth = sum(1 for i in range(20) if i % 7) / 20
    check("study: the fastest solver's share at 1 is what it solved", abs(best - truth) < 1e-12, best, truth)
    check("study: the table has all rows", page.js("document.querySelectorAll('tbody tr').length") == 60)
    check("study: nothing runs out of its width", not page.js("document.documentElement.scrollWidth > innerWidth"))
    contrast(page, "study")
    for theme in ("light", "dark"):
        page.js(f"document.documentElement.dataset.theme === '{theme}' || document.querySelector('[aria-label=\"light or dark\"]').click()")
        page.screenshot(at(f"study-{theme}.png"))
    check("study: no page error, no request", not page.errors and page.requests == [page.requests[0]], page.errors, page.requests)
    print(f"study: {os.path.getsize(at('study.html')) / 1e3:.0f} kB")
    page.close()


if find_browser() is None:
    print("skipped: there is no Chromium; scripts/setup --test installs it")
    sys.exit(77)
os.makedirs(folder, exist_ok=True)
browser = Browser() if case != "no_webgl" else None
try:
    globals()[case](browser)
finally:
    if browser:
        browser.close()
print(f"{case}: {len(failures)} failures")
sys.exit(1 if failures else 0)
