/** Files that the build makes modules of. */
declare module '*.wasm?url' {
  const url: string
  export = url
}
declare module 'three/examples/jsm/libs/basis/basis_transcoder.js' {
  const make: unknown
  export = make
}
declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  function createDecoderModule(settings: { wasmBinary: Uint8Array }): Promise<unknown>
  export = createDecoderModule
}
