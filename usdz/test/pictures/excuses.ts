import type { ConversionReport, Profile } from '../../index.ts'

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
  tangents: 'tangents that texture coordinates do not give',
  transmission: 'opacity for transmission',
  volume: 'tint for volume',
}

/** The same for what one profile leaves to viewers, which the reader of these pictures does not do. */
const shownDifferentlyIn: Partial<Record<Profile, Record<string, string>>> = {
  spec: {
    normal_scale: 'normal maps of a large scale',
    vertex_colors: 'vertex colours beside a texture are not shown',
  },
}

/** Differences between the source's reader, three's GLTFLoader, and glTF. */
const misread: Record<string, string> = {
  animation_pointer: 'GLTFLoader does not read animation pointers',
  specular_glossiness: 'GLTFLoader does not read specular-glossiness',
}

/** Why a model has no limit in a profile; empty if it has. */
export function excusesOf({ notes }: Pick<ConversionReport, 'notes'>, profile: Profile = 'quicklook'): string[] {
  const reasons = notes.map(
    ({ code }) => shownDifferently[code] ?? shownDifferentlyIn[profile]?.[code] ?? misread[code],
  )
  return [...new Set(reasons.filter((reason) => reason !== undefined))]
}
