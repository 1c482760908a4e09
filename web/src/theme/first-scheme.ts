/** Before anything is drawn: the colours chosen the last time, else those of the system. Mantine keeps the choice under this name. */
const kept = localStorage.getItem('mantine-color-scheme-value')
const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
