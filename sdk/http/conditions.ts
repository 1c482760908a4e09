/** Writes only if this ETag is the current one. */
export type IfMatch = { ifMatch?: string | undefined }

/** Conditions of a write on what is stored now. */
export type Conditions = IfMatch & {
  /** `*` writes only if nothing is stored yet. */
  ifNoneMatch?: '*'
}

/** The headers of conditions; none without conditions. */
export function conditionHeaders({ ifMatch, ifNoneMatch }: Conditions): { headers?: Record<string, string> } {
  const headers = {
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
  }
  return Object.keys(headers).length === 0 ? {} : { headers }
}
