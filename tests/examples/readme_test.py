"""The program that the README shows is examples/first_program.cpp, which is compiled and run: readme_test.py CHECKOUT"""
import os
import re
import sys

root = sys.argv[1]
with open(os.path.join(root, "README.md")) as f:
    readme = f.read()
with open(os.path.join(root, "examples", "first_program.cpp")) as f:
    program = "".join(line for line in f if not line.startswith("//"))
shown = re.findall(r"```cpp\n(.*?)```", readme, re.S)
if shown != [program]:
    sys.exit("the README shows another program than examples/first_program.cpp without its head")
for name in os.listdir(os.path.join(root, "examples")):
    if name.endswith(".cpp") and f"examples/{name}" not in readme and f"`{name[:-4]}`" not in readme:
        sys.exit(f"the README does not name examples/{name}")
