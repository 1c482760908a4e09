declare module 'gltf-validator' {
  /** The report of Khronos' validator for a glTF asset; severity 0 is an error. */
  export function validateBytes(
    data: Uint8Array,
  ): Promise<{ issues: { messages: { code: string; message: string; severity: number; pointer?: string }[] } }>
}
