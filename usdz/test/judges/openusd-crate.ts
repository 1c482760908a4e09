import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { withOpenUsd } from './start-openusd.ts'

/** Lets OpenUSD write a text layer as a crate file of a version: `<in.usda> <out.usdc> <0.8.0>`. */
async function main(): Promise<void> {
  const [input, output, version] = process.argv.slice(2)
  const [from, to] = [resolve(input!), resolve(output!)]
  await withOpenUsd(
    (line) => process.stderr.write(`${line}\n`),
    async (module) => {
      module.FS.createDataFile('/', 'in.usda', await readFile(from), true, true, true)
      const stage = await module.UsdStage.Open('in.usda')
      await stage.Export('out.usdc', false)
      await writeFile(to, module.FS.readFile('/out.usdc'))
    },
    { USD_WRITE_NEW_USDC_FILES_AS_VERSION: version! },
  )
}

await main()
process.exit(0)
