/** Applies the stored or system colour scheme before the first paint. Mantine stores the choice under this key. */
const kept = localStorage.getItem('mantine-color-scheme-value')
const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
