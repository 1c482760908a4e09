/** A multipart form: files, lists of files, and texts; what is undefined is left out. */
export function formOf(fields: Record<string, Blob | Blob[] | string | number | undefined>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one instanceof Blob) form.append(name, one)
      else if (one !== undefined) form.append(name, String(one))
    }
  return form
}

/** A form with one file, under the name that it shall have. */
export function formWith(field: string, file: Blob, fileName: string): FormData {
  const form = new FormData()
  form.append(field, file, fileName)
  return form
}
