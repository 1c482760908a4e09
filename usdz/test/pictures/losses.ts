import type { ConversionReport } from '../../index.ts'
import { excusesOf } from './excuses.ts'

/** Pictures that are less similar than this look different. */
export const alike = 0.98

/** Notes that explain a visible difference of a feature, although models with them have a limit. */
const visible = [
  'alpha_cutoff',
  'flat_normals',
  'normal_scale',
  'texture_size',
  'unlit',
  'vertex_colors',
  'vertex_colors_left_out',
  'vertex_colors_resolution',
  'variant_colors',
]

/**
 * Describes a loss that the report is silent about: pictures that differ, and no note of something visible. Notes of
 * what nobody can see explain nothing.
 */
export function silentLoss(report: Pick<ConversionReport, 'notes'>, score: number | undefined): string | undefined {
  if (score === undefined || score >= alike) return undefined
  if (excusesOf(report).length > 0 || report.notes.some(({ code }) => visible.includes(code))) return undefined
  const codes = report.notes.map(({ code }) => code).join(', ')
  return `the pictures are ${score.toFixed(3)} similar, and no note says why (${codes || 'no notes'})`
}
