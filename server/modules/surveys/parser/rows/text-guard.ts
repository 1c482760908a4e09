/**
 * Text that a spreadsheet would take for a formula (OWASP, CSV injection), or a reader of ours for a comment, behind any
 * number of quotes.
 */
const guarded = /^'*[=+\-@\t\r#＝＋－＠]/

/** A text for a cell of a CSV file, safe in a spreadsheet: with a `'` before what would be a formula. */
export const guardText = (text: string): string => (guarded.test(text) ? `'${text}` : text)

/** The text that `guardText` made safe; other texts as they are. */
export const unguardText = (cell: string): string => (cell.startsWith("'") && guarded.test(cell) ? cell.slice(1) : cell)
