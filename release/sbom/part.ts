/** Something that a release contains and that is no npm package of its own: a program, a library or data. */
export type Part = {
  name: string
  version?: string | undefined
  /** An identifier or an expression of SPDX. */
  license: string
  /** Vendor and product as the National Vulnerability Database names them, `openssl:openssl`. */
  cpe?: string
  isData?: boolean
}
