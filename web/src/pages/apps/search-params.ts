const DAYS = [1, 7, 30, 90] as const
export type Days = (typeof DAYS)[number]
const STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type Status = (typeof STATUSES)[number]

type Search = Record<string, unknown>
const id = (value: unknown) => (typeof value === 'string' && value.length <= 64 ? value : undefined)

/** Search parameters of an app's pages. Invalid values are dropped. */
export const parseAppsSearch = ({ all, find }: Search): { all?: true; find?: string } => ({
  ...(all === true ? { all: true } : {}),
  ...(find !== undefined && find !== '' ? { find: String(find) } : {}),
})

export const parseUsageSearch = ({ days }: Search): { days?: Days } => {
  const known = DAYS.find((one) => one === days)
  return known ? { days: known } : {}
}

export type WebhooksSearch = { hook?: string; status?: Status; delivery?: string; add?: true }
export const parseWebhooksSearch = ({ hook, status, delivery, add }: Search): WebhooksSearch => {
  const known = STATUSES.find((one) => one === status)
  return {
    ...(id(hook) ? { hook: id(hook)! } : {}),
    ...(known ? { status: known } : {}),
    ...(id(delivery) ? { delivery: id(delivery)! } : {}),
    ...(add === true ? { add: true } : {}),
  }
}
