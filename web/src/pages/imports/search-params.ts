/** What the address of the history holds. */
export type ZoneSearch = { zone?: number }
export const parseZoneSearch = ({ zone }: Record<string, unknown>): ZoneSearch =>
  Number.isSafeInteger(Number(zone)) && Number(zone) > 0 ? { zone: Number(zone) } : {}

export const STEPS = ['columns', 'check', 'apply'] as const
export type Step = (typeof STEPS)[number]

/** What the address of an import holds: the step, and which of its findings are looked at. */
export type ImportSearch = { step?: Step; rows?: 'warnings'; cause?: string }
export const parseImportSearch = ({ step, rows, cause }: Record<string, unknown>): ImportSearch => ({
  ...(STEPS.includes(step as Step) ? { step: step as Step } : {}),
  ...(rows === 'warnings' ? { rows } : {}),
  ...(typeof cause === 'string' && cause !== '' ? { cause } : {}),
})
