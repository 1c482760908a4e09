import { saveFile } from './save-file.ts'

/** Saves rows as CSV (RFC 4180), the heads first. Texts are escaped so that spreadsheets do not run them as formulas. */
export function saveCsv(lines: string[][], fileName: string): void {
  const text = lines.map((line) => line.map(cell).join(',')).join('\r\n')
  saveFile(new Blob([`\u{feff}${text}\r\n`], { type: 'text/csv' }), fileName)
}

const cell = (text: string): string => {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
