// Light or dark: what the system says, until somebody says otherwise.
export function currentTheme() { return document.documentElement.dataset.theme; }

export function setTheme(theme) { document.documentElement.dataset.theme = theme; }

export function initTheme(wanted) {
  setTheme(wanted === 'dark' || wanted === 'light' ? wanted : matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}
