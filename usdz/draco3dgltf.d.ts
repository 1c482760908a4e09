/** Types of draco3dgltf, which ships none. */
declare module 'draco3dgltf' {
  const draco3d: {
    createDecoderModule(settings?: { wasmBinary: Uint8Array }): Promise<unknown>
    createEncoderModule(): Promise<unknown>
  }
  export = draco3d
}
