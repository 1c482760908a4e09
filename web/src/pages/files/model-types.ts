import type { ConversionReport, UserFile, UserFileDetail } from '@cairn/sdk'

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

const NONE = {}
const TO_GLB = { options: { format: 'glb' } } as const
/** The options of the conversion that the page of a file offers by one click: none to USDZ. */
export const mainOptions = (file: Typed): typeof NONE | typeof TO_GLB => (isUsdz(file) ? TO_GLB : NONE)

type Conversion = Pick<NonNullable<UserFileDetail['conversion']>, 'status' | 'errorMessage'> & {
  resultUrl: string | null
  report: ConversionReport | null
}

/** That conversion: to USDZ, or of a USDZ to GLB; null if nobody has requested it. */
export function mainConversion(file: UserFileDetail): Conversion | null {
  const { conversion, conversionsWithOptions } = file
  if (!isUsdz(file)) return conversion && { ...conversion, resultUrl: conversion.usdzUrl }
  const made = conversionsWithOptions.find(({ options }) => options.format === 'glb')
  return made ? { ...made, resultUrl: made.glbUrl } : null
}

/** The type of its result, and the name under which that is saved. */
export const mainResult = (file: UserFile) =>
  isUsdz(file)
    ? { type: 'GLB', name: `${file.fileName.replace(/\.usdz$/i, '')}.glb` }
    : { type: 'USDZ', name: usdzName(file.fileName) }

/** The name under which the USDZ of a model is saved. */
export const usdzName = (fileName: string) => `${fileName.replace(/\.(glb|ply|obj|stl)$/i, '')}.usdz`
