export type FormPart = { field?: string; name?: string; type?: string; bytes: Uint8Array | string }

/** A form with these files, in order. */
export function formOf(...parts: FormPart[]): FormData {
  const form = new FormData()
  for (const { field = 'file', name = 'file.bin', type = 'application/octet-stream', bytes } of parts)
    form.append(field, new Blob([bytes as string], { type }), name)
  return form
}

/** The same form with text parts at its end. */
export function withTexts(form: FormData, texts: Record<string, string | number>): FormData {
  for (const [name, text] of Object.entries(texts)) form.append(name, String(text))
  return form
}

const BOUNDARY = 'a-boundary-of-the-tests'
export const formHeaders = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

/** The bytes of a form, with exact names and optional truncation, as no correct client sends. */
export function rawForm(parts: FormPart[], { ending = `--${BOUNDARY}--\r\n` } = {}): Uint8Array {
  const pieces = parts.flatMap(({ field = 'file', name, type = 'application/octet-stream', bytes }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"${name === undefined ? '' : `; filename="${name}"`}\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    Buffer.from(bytes as string),
    Buffer.from('\r\n'),
  ])
  return new Uint8Array(Buffer.concat([...pieces, Buffer.from(ending)]))
}
