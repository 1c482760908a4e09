import type { ConversionReport } from '../../index.ts'

/**
 * What the report says is shown differently, so that pictures must differ too: a model with one of these notes is drawn,
 * scored and shown, but not held to the limits. Everything else is held, whatever else its report says.
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

/** Where the source's reader, three's GLTFLoader, shows something else than glTF says. */
const misread: Record<string, string> = {
  animation_pointer: 'GLTFLoader does not read animation pointers',
  specular_glossiness: 'GLTFLoader does not read specular-glossiness',
}

/** Why a model is not held to the limits; empty for one that is. */
export function excusesOf({ notes }: ConversionReport): string[] {
  const reasons = notes.map(({ code }) => shownDifferently[code] ?? misread[code])
  return [...new Set(reasons.filter((reason) => reason !== undefined))]
}
