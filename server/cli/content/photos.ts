import { setTimeout as sleep } from 'node:timers/promises'
import { counted, type Group, JSON_OUTPUT, PROGRESS, printResult } from '../command.ts'
import { type App, assertNoArguments, readOptions, withApp } from '../context.ts'
import { createProgress } from '../progress.ts'

const LOOK_MS = 250

/** Checks photos of ground control points and relocalization photos; this process or another worker runs the jobs. */
async function check(args: string[]) {
  const { values, positionals } = readOptions(args, { all: { type: 'boolean' }, ...PROGRESS, ...JSON_OUTPUT } as const)
  assertNoArguments(positionals)
  const progress = createProgress(values)
  await withApp(async (app) => {
    const { photoChecks } = app.operator
    await app.jobs.start({ work: true })
    try {
      const requested = await photoChecks.request({ all: values.all ?? false })
      for (;;) {
        const pending = await photoChecks.countPending()
        if (pending === 0) break
        progress.show(`${counted(pending, 'photo')} to check`)
        await sleep(LOOK_MS)
      }
      progress.end()
      const { counts, notes } = await found(app)
      const all = Object.entries(counts).map(([tagCheck, count]) => `${count} ${tagCheck}`)
      const head = `${counted(requested, 'photo')} checked. Photos of points: ${all.join(', ')}`
      printResult(values, { checked: requested, ...counts, notes }, [head, ...notes.map(lineOf)].join('\n'))
      if (counts.mismatch > 0) process.exitCode = 3
    } finally {
      progress.end()
      await app.jobs.stop()
      await app.endReaders()
    }
  })
}

type Note = { gcpId: number; fileName: string; tagCheck: string; notes: string[] }

async function found(app: App) {
  const counts = { match: 0, mismatch: 0, none: 0, unreadable: 0, pending: 0 }
  const notes: Note[] = []
  for await (const { gcpId, fileName, tagCheck, notes: said } of app.operator.photoChecks.photos()) {
    counts[tagCheck]++
    if (said.length > 0) notes.push({ gcpId: gcpId!, fileName, tagCheck, notes: said })
  }
  return { counts, notes }
}

const lineOf = ({ gcpId, fileName, tagCheck, notes }: Note) =>
  `  point ${gcpId}, ${fileName}: ${tagCheck}. ${notes.join('. ')}`

export const PHOTOS: Group = {
  title: 'Photos',
  commands: [
    {
      words: 'photos check',
      usage: '[--all] [--progress] [--json]',
      summary: 'look for AprilTags in photos of points and of pins that were not checked',
      about:
        'The service checks each photo after its upload (docs/tags.md). This checks those that are older, relocalization\nphotos of pins too, and lists what to correct in all photos of points.',
      options: [['--all', 'check all photos again, for example after an upgrade that improves it']],
      examples: [
        ['cairn photos check', 'after an upgrade from a version that did not check photos'],
        ['cairn photos check --json', 'the photos with notes, as JSON'],
      ],
      exits: [[3, 'a photo shows another tag than its point has']],
      run: check,
    },
  ],
}
