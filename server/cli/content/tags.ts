import { writeFile } from 'node:fs/promises'
import { type Group, JSON_OUTPUT, printResult } from '../command.ts'
import { assertNoArguments, readOptions, UsageError } from '../context.ts'

/** Writes a PDF of tags to print. Never replaces a file without `--force`. */
async function sheet(args: string[]) {
  const { values, positionals } = readOptions(args, {
    family: { type: 'string', default: 'tag36h11' },
    ids: { type: 'string' },
    size: { type: 'string' },
    paper: { type: 'string', default: 'a4' },
    out: { type: 'string', default: 'tags.pdf' },
    force: { type: 'boolean' },
    ...JSON_OUTPUT,
  } as const)
  assertNoArguments(positionals)
  if (!values.ids || !values.size) throw new UsageError('Name the tags and their size: --ids 0-5 --size 160mm')
  // The detector's code has the tags. It is loaded for this command only.
  const [{ SheetQuery }, { sheetOf }] = await Promise.all([
    import('../../modules/tags/sheet/schema.ts'),
    import('../../modules/tags/sheet/sheet.ts'),
  ])
  const { family, ids, size, paper, out } = values
  const order = SheetQuery.safeParse({ family, ids, size: millimetres(size), paper })
  if (!order.success) {
    const { path, message } = order.error.issues[0]!
    throw new UsageError(`--${String(path[0])}: ${message}`)
  }
  const pdf = sheetOf(order.data)
  await writeFile(out, pdf, { flag: values.force ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'EEXIST'
        ? `"${out}" already exists: choose another name, or use --force to replace it`
        : `"${out}" cannot be written: ${error.message}`,
    )
  })
  const { length } = order.data.ids
  printResult(
    values,
    { out, bytes: pdf.length, tags: length, size: order.data.size },
    `${out}: ${length} tags of ${order.data.size} mm. Print it at 100 %, and measure the bar of 100 mm`,
  )
}

/** `160`, `160mm` or `16cm` in millimetres. @throws UsageError */
function millimetres(text: string): string {
  const [, number, unit] = /^([\d.]+) ?(mm|cm)?$/.exec(text) ?? []
  if (number === undefined) throw new UsageError(`--size ${text} is not a length such as 160mm or 16cm`)
  return unit === 'cm' ? String(Number(number) * 10) : number
}

export const TAGS: Group = {
  title: 'AprilTags',
  commands: [
    {
      words: 'tags sheet',
      usage: '--ids IDS --size SIZE [--family tag36h11] [--paper a4|a3|letter] [--out FILE] [--force] [--json]',
      summary: 'write a PDF of AprilTags to print',
      about: 'Needs neither settings nor a database.',
      options: [
        ['--ids IDS', 'such as 0-5 or 0,3,7-9'],
        ['--size SIZE', 'of a side of the black border, such as 160mm or 16cm'],
        ['--paper PAPER', 'a4, a3 or letter; default a4'],
        ['--out FILE', 'default tags.pdf'],
        ['--force', 'replace FILE if it exists'],
      ],
      examples: [['cairn tags sheet --ids 0-5 --size 160mm', 'six tags, each on its page']],
      run: sheet,
    },
  ],
}
