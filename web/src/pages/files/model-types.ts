type Typed = { contentType: string }

/** The types that are converted to USDZ, by their media types. */
const CONVERTIBLE: Record<string, string> = {
  'model/gltf-binary': 'GLB',
  'model/ply': 'PLY',
  'model/obj': 'OBJ',
  'model/stl': 'STL',
}

export const isGlb = ({ contentType }: Typed) => CONVERTIBLE[contentType] === 'GLB'
export const isUsdz = ({ contentType }: Typed) => contentType === 'model/vnd.usdz+zip'
export const isConvertible = ({ contentType }: Typed) => contentType in CONVERTIBLE

/** The short name of a model's type; undefined for other files. */
export const modelType = (file: Typed): string | undefined => (isUsdz(file) ? 'USDZ' : CONVERTIBLE[file.contentType])

/** The name under which the USDZ of a model is saved. */
export const usdzName = (fileName: string) => `${fileName.replace(/\.(glb|ply|obj|stl)$/i, '')}.usdz`
