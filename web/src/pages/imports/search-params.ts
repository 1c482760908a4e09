/** Search parameters of the import list. */
export type ZoneSearch = { zone?: number }
export const parseZoneSearch = ({ zone }: Record<string, unknown>): ZoneSearch =>
  Number.isSafeInteger(Number(zone)) && Number(zone) > 0 ? { zone: Number(zone) } : {}

export const STEPS = ['columns', 'check', 'apply'] as const
export type Step = (typeof STEPS)[number]

/** Search parameters of an import: its step and the filter of its findings. */
export type ImportSearch = { step?: Step; rows?: 'warnings'; cause?: string }
export const parseImportSearch = ({ step, rows, cause }: Record<string, unknown>): ImportSearch => ({
  ...(STEPS.includes(step as Step) ? { step: step as Step } : {}),
  ...(rows === 'warnings' ? { rows } : {}),
  ...(typeof cause === 'string' && cause !== '' ? { cause } : {}),
})
