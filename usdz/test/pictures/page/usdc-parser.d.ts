declare module 'three/examples/jsm/loaders/usd/USDCParser.js' {
  export class USDCParser {
    parseData(bytes: ArrayBuffer): {
      specsByPath: Record<string, { specType: number; fields: Record<string, unknown> }>
    }
  }
}
