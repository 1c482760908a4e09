/** What `like` takes to find a text anywhere: its own `%`, `_` and `\` stand for themselves. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
