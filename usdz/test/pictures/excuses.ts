import type { ConversionReport } from '../../index.ts'

/**
 * Notes of the converter that say the package cannot look like the source, and why: a model with one of them is drawn,
 * scored and shown, but not held to the limits.
 */
const excuses: Record<string, string> = {
  specular_glossiness: 'GLTFLoader does not read specular-glossiness materials',
  animations: 'moves in the source and stands still in the package',
  hidden_nodes: 'hidden nodes',
}

/** Why a model is not held to the limits; empty for one that is. */
export const excusesOf = (report: ConversionReport): string[] => [
  ...new Set(report.notes.map(({ code }) => excuses[code]).filter((reason) => reason !== undefined)),
]
