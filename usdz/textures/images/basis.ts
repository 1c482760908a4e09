/** The parts of the Basis Universal transcoder used here (basis_wrappers.cpp of BinomialLLC/basis_universal). */
type Ktx2File = {
  isValid(): boolean
  startTranscoding(): boolean
  getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number
  transcodeImage(
    out: Uint8Array,
    level: number,
    layer: number,
    face: number,
    format: number,
    unused: number,
    channel0: number,
    channel1: number,
  ): boolean
  close(): void
  delete(): void
}
export type Basis = { initializeBasis(): void; KTX2File: new (bytes: Uint8Array) => Ktx2File }

/** The script of the transcoder makes its module. */
export type BasisFactory = (module: object) => Promise<Basis>
