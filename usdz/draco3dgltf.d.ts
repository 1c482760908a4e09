/** The package ships no types; its modules are only handed on to glTF-Transform. */
declare module 'draco3dgltf' {
  const draco3d: { createDecoderModule(): Promise<unknown>; createEncoderModule(): Promise<unknown> }
  export = draco3d
}
