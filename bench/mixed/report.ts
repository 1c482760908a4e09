import type { Comparison } from '../record/comparison.ts'
import { tableOf } from './cpu-profile.ts'
import type { Load } from './load.ts'
import type { Mixed } from './mixed.ts'

/** The report for people. */
export function mixedReport({ closed, open, cpu, memory, profile }: Mixed): string {
  const { megabytesAnHour, heap } = memory
  return `
closed loop: ${Math.round(closed.perSecond)} requests/s, ${Math.round(cpu.serviceMicroseconds)} + ${Math.round(cpu.postgresMicroseconds)} µs of CPU each (service + database)
${loadTable(closed)}

at ${open.asked} requests/s: ${Math.round(open.perSecond)} were answered a second
${loadTable(open)}

memory: the service ${signed(megabytesAnHour.service)} MB/hour, the database ${signed(megabytesAnHour.database)} MB/hour;
its heap after a collection ${heap.before.heap.toFixed(1)} → ${heap.after.heap.toFixed(1)} MB (${signed(heap.megabytesAnHour)} MB/hour), outside it ${heap.before.outside.toFixed(1)} → ${heap.after.outside.toFixed(1)} MB

CPU of the service by function, % (itself, with what it calls)
${tableOf(profile.functions)}

by package
${tableOf(profile.packages)}
`
}

/** The entries of the history. */
export function mixedComparisons({
  closed,
  open,
  cpu,
  memory: { heap, megabytesAnHour, samples },
}: Mixed): Comparison[] {
  const { perSecond, asked } = open
  return [
    {
      name: 'mix, as much as it can do / a rate of 60 % of that',
      ours: { ...figuresOf(closed), ...cpu },
      peer: figuresOf(open),
      ratio: closed.perSecond / perSecond,
      target: 'none',
    },
    {
      name: 'mix, at 60 % of the most: answered of what was due',
      ours: figuresOf(open),
      peer: { perSecond: asked, maxPerSecond: closed.perSecond },
      ratio: perSecond / asked,
      target: '≥ 0.99',
    },
    {
      name: 'mix, heap in use after a collection: at the end beside the beginning',
      ours: { megabytes: heap.after.heap, megabytesAnHour: heap.megabytesAnHour },
      peer: { megabytes: heap.before.heap },
      ratio: heap.after.heap / heap.before.heap,
      target: '≤ 1.1',
    },
    {
      name: 'mix, resident memory of the service: growth an hour, in the later half / what it has',
      ours: { megabytesAnHour: megabytesAnHour.service, ofTheDatabase: megabytesAnHour.database },
      peer: { megabytes: samples.at(-1)!.service },
      ratio: megabytesAnHour.service / samples.at(-1)!.service,
      target: 'none',
    },
  ]
}

const figuresOf = ({ perSecond, errors, all: { p50Ms, p99Ms } }: Load) => ({ perSecond, p50Ms, p99Ms, errors })

function loadTable({ all, operations, errors, firstErrors }: Load): string {
  const rows = Object.entries({ ...operations, all }).map(
    ([name, { count, p50Ms, p99Ms, maxMs }]) =>
      `  ${name.padEnd(30)} ${String(count).padStart(8)}  p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}  most ${ms(maxMs)} ms`,
  )
  return [...rows, `  errors: ${errors}`, ...firstErrors.map((error) => `    ${error}`)].join('\n')
}

const ms = (time: number) => time.toFixed(1).padStart(8)
const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(1)}`
