import type { Throughput } from './closed-loop.ts'

/** One measurement of a side. */
type Side = (ms: number) => Promise<Throughput & { cpuMicroseconds?: number }>
type Measured = Throughput & { cpuMicroseconds?: number; turns: number[] }

/** A side is warm when a turn is less than this factor better than the best before. */
const STEADY = 1.05
const MAX_WARMING = 12

/**
 * Measures several sides alternately. Each is warmed up until its throughput stops rising, then they run in rounds, in
 * alternating order, so that disturbances affect all.
 * @returns the median turn of each, by CPU time if measured, else by throughput
 */
export async function interleaved<Name extends string>(
  sides: Record<Name, Side>,
  { ms, rounds = 7 }: { ms: number; rounds?: number },
): Promise<Record<Name, Measured>> {
  const names = Object.keys(sides) as Name[]
  for (const name of names) await warm(sides[name], ms)
  const turns = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Awaited<ReturnType<Side>>[]
  >
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) turns[name].push(await sides[name](ms))
  return Object.fromEntries(names.map((name) => [name, median(turns[name])])) as Record<Name, Measured>
}

async function warm(side: Side, ms: number): Promise<void> {
  let best = 0
  let steady = 0
  for (let turn = 0; turn < MAX_WARMING && steady < 2; turn++) {
    const { perSecond } = await side(ms)
    steady = perSecond > best * STEADY ? 0 : steady + 1
    best = Math.max(best, perSecond)
  }
}

function median(turns: Awaited<ReturnType<Side>>[]): Measured {
  const figure = ({ cpuMicroseconds, perSecond }: Awaited<ReturnType<Side>>) => cpuMicroseconds ?? perSecond
  const sorted = turns.toSorted((a, b) => figure(a) - figure(b))
  return { ...sorted[sorted.length >> 1]!, turns: sorted.map(figure) }
}
