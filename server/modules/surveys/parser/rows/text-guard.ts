/**
 * Text that a spreadsheet would read as a formula (OWASP, CSV injection), or our reader as a comment, after any number
 * of quotes.
 */
const guarded = /^'*[=+\-@\t\r#＝＋－＠]/

/** Escapes a text for a CSV cell: adds a `'` before what a spreadsheet would read as a formula. */
export const guardText = (text: string): string => (guarded.test(text) ? `'${text}` : text)

/** Reverses `guardText`; returns other texts unchanged. */
export const unguardText = (cell: string): string => (cell.startsWith("'") && guarded.test(cell) ? cell.slice(1) : cell)
