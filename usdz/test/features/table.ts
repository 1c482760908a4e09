import { convert, type Note, type Profile } from '../../index.ts'
import { silentLoss } from '../pictures/losses.ts'
import { features } from './all.ts'
import { type Feature, howOf } from './feature.ts'

/** The similarity of the pictures of source and package (worst view), by picture file and profile. */
export type Likeness = Record<string, Partial<Record<Profile, number>>>

/** Each feature with its picture file. */
export const rows: { group: string; feature: Feature; picture: string }[] = Object.entries(features).flatMap(
  ([group, list]) => list.map((feature) => ({ group, feature, picture: `${slug(feature.name)}.webp` })),
)

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/**
 * Builds the support table in Markdown by running the converter in both profiles.
 * @throws Error if the pictures of a feature differ and the report does not say why.
 */
export async function supportTable(likeness: Likeness): Promise<string> {
  const lines: string[] = []
  let heading = ''
  for (const { group, feature, picture } of rows) {
    if (group !== heading) {
      heading = group
      lines.push('', `### ${group}`, '')
      lines.push('| glTF | `quicklook` | `spec` | In the package | Source, result |', '| --- | --- | --- | --- | --- |')
    }
    const glb = await feature.glb()
    const notes = new Map<Profile, readonly Note[]>()
    for (const profile of ['quicklook', 'spec'] as const) {
      const { report } = await convert(glb, { profile })
      notes.set(profile, report.notes)
      const loss = feature.unjudged ? undefined : silentLoss(report, likeness[picture]?.[profile])
      if (loss) throw new Error(`${feature.name}, ${profile}: ${loss}`)
    }
    const cell = (profile: Profile) => {
      const alike = likeness[picture]?.[profile]
      const judged = alike !== undefined && !feature.unjudged
      return `${howOf(feature, profile)}${judged ? ` (${alike.toFixed(3)})` : ''}`
    }
    const words = [sentence(feature.as), ...wordsOf(notes), ...(feature.unjudged ? [`${feature.unjudged}.`] : [])]
    const image = `![source and result](pictures/${picture})`
    lines.push(`| ${feature.name} | ${cell('quicklook')} | ${cell('spec')} | ${words.join(' ')} | ${image} |`)
  }
  return lines.slice(1).join('\n')
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)

/** The notes of the report; notes of both profiles are listed once. */
function wordsOf(notes: ReadonlyMap<Profile, readonly Note[]>): string[] {
  const [quicklook, spec] = [...notes.values()].map((list) => list.map(({ message }) => message)) as [
    string[],
    string[],
  ]
  return [
    ...quicklook.filter((message) => spec.includes(message)).map((message) => `*${message}*`),
    ...quicklook.filter((message) => !spec.includes(message)).map((message) => `\`quicklook\`: *${message}*`),
    ...spec.filter((message) => !quicklook.includes(message)).map((message) => `\`spec\`: *${message}*`),
  ]
}
