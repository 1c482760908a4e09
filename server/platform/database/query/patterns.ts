/** A `like` pattern that finds a text anywhere, with `%`, `_` and `\` escaped. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
