declare module 'gltf-validator' {
  /** The report of Khronos' validator for a glTF asset; severity 0 is an error. `maxIssues` 0 reports all. */
  export function validateBytes(
    data: Uint8Array,
    options?: { maxIssues?: number; externalResourceFunction?: (uri: string) => Promise<Uint8Array> },
  ): Promise<{ issues: { messages: { code: string; message: string; severity: number; pointer?: string }[] } }>
}
