import type { Checkout } from './checkout.ts'

const NEEDS = /^-- needs (\d{4}_\w+\.sql): \S/

/** The migrations that separate two versions. */
export function between(earlier: Checkout, later: Checkout): { name: string; needs: string | undefined }[] {
  const before = new Set(earlier.migrations.map(({ name }) => name))
  return later.migrations
    .filter(({ name }) => !before.has(name))
    .map(({ name, sql }) => ({ name, needs: NEEDS.exec(sql)?.[1] }))
}

/** Whether the earlier version may start again on what the later one has migrated. */
export function mayGoBack(earlier: Checkout, later: Checkout): boolean {
  const before = new Set(earlier.migrations.map(({ name }) => name))
  return between(earlier, later).every(({ needs }) => needs === undefined || before.has(needs))
}
