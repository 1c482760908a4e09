import { bytesOfBase64, bytesOfLatin1 } from '../../bytes.ts'
import { malformed } from '../../errors.ts'
import type { ValidatedGltf } from '../json.ts'

/**
 * Returns the bytes of each buffer: its data URI, else the binary chunk (glTF 2.0 §4.4.3). The chunk is not copied: the
 * bytes belong to the caller and must not be modified.
 */
export function readBuffers(json: ValidatedGltf, binary: Uint8Array | undefined): Uint8Array[] {
  return json.buffers.map(({ uri, byteLength }, index) => {
    if (typeof uri !== 'string') return binary ?? new Uint8Array()
    const bytes = decodeDataUri(uri)
    if (bytes && bytes.length >= Number(byteLength)) return bytes
    throw malformed(`buffer ${index}: its data URI holds ${bytes?.length ?? 0} of ${byteLength} bytes.`)
  })
}

/** Decodes a data URI (RFC 2397); undefined for other URIs. */
export function decodeDataUri(uri: string): Uint8Array | undefined {
  const [, isBase64, data] = /^data:[^,]*?(;base64)?,(.*)$/is.exec(uri) ?? []
  if (data === undefined) return undefined
  if (isBase64) return bytesOfBase64(data)
  const text = data.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return bytesOfLatin1(text)
}
