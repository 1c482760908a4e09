/** The parts of draco3dgltf used here; it ships no types. `at` is an address in the module's memory. */
export type Handle = { readonly ptr: number }
export type Attribute = Handle & { num_components(): number }
export type Mesh = Handle & { num_faces(): number; num_points(): number }
export type Decoder = Handle & {
  DecodeArrayToMesh(data: Uint8Array, length: number, mesh: Mesh): { ok(): boolean; error_msg(): string }
  GetAttributeByUniqueId(mesh: Mesh, id: number): Attribute
  GetAttributeDataArrayForAllPoints(
    mesh: Mesh,
    attribute: Attribute,
    dataType: number,
    bytes: number,
    at: number,
  ): boolean
  GetTrianglesUInt32Array(mesh: Mesh, bytes: number, at: number): boolean
}
export type DracoModule = {
  Decoder: new () => Decoder
  Mesh: new () => Mesh
  HEAPU8: Uint8Array<ArrayBuffer>
  destroy(handle: Handle): void
  _malloc(bytes: number): number
  _free(at: number): void
} & Record<`DT_${'INT8' | 'UINT8' | 'INT16' | 'UINT16' | 'UINT32' | 'FLOAT32'}`, number>
