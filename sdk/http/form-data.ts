/** Creates a multipart form. Undefined fields are omitted. */
export function toFormData(fields: Record<string, Blob | Blob[] | string | number | undefined>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one instanceof Blob) form.append(name, one)
      else if (one !== undefined) form.append(name, String(one))
    }
  return form
}

/** Creates a multipart form with one named file. */
export function toFileForm(field: string, file: Blob, fileName: string): FormData {
  const form = new FormData()
  form.append(field, file, fileName)
  return form
}
