import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { withOpenUsd } from './start-openusd.ts'

/**
 * Prints one composed file as USD text by OpenUSD, between two marks. The other files are put beside it under their own names:
 * a text layer may refer to a package.
 */
async function main(): Promise<void> {
  const complaints: string[] = []
  await withOpenUsd(
    (line) => complaints.push(line),
    async (module) => {
      const files = process.argv.slice(2)
      for (const file of files) {
        module.FS.createDataFile('/', basename(file), await readFile(file), true, true, true)
      }
      const stage = await module.UsdStage.Open(basename(files.at(-1)!))
      const text = await stage.ExportToString()
      process.stdout.write(`${JSON.stringify({ text, complaints })}\n`)
    },
  )
}

await main()
process.exit(0)
