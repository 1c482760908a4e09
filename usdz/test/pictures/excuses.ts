import type { ConversionReport } from '../../index.ts'

/**
 * Reported differences that must be visible in pictures: a model with one of these notes is drawn and scored, but has no limit.
 * All other models have, whatever else is reported.
 */
const shownDifferently: Record<string, string> = {
  anisotropy: 'round highlights',
  clearcoat_normal: 'smooth clear coat',
  diffuse_transmission: 'no light from behind',
  dispersion: 'no dispersion',
  emissive_strength: 'emission cut off at 1',
  iridescence: 'approximated iridescence',
  no_triangles: 'points and lines left out',
  sheen: 'approximated sheen',
  specular: 'approximated specular',
  transmission: 'opacity for transmission',
  volume: 'tint for volume',
}

/** Differences between the source's reader, three's GLTFLoader, and glTF. */
const misread: Record<string, string> = {
  animation_pointer: 'GLTFLoader does not read animation pointers',
  specular_glossiness: 'GLTFLoader does not read specular-glossiness',
}

/** Why a model has no limit; empty if it has. */
export function excusesOf({ notes }: Pick<ConversionReport, 'notes'>): string[] {
  const reasons = notes.map(({ code }) => shownDifferently[code] ?? misread[code])
  return [...new Set(reasons.filter((reason) => reason !== undefined))]
}
