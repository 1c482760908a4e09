import type { CsvUpload } from '@cairn/sdk'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { messages } from '../../../messages/index.ts'

const texts = messages.imports.columns

/** Options for what the file does not specify, as form values. */
export type ParseOptions = Texts & { swapAxes: boolean }
type Texts = { crs: string; layer: string; angles: string; heightDatum: string; maxError: string }

export const parseOptionsOf = ({ crs, layer, angles, heightDatum, maxError, swapAxes }: CsvUpload): ParseOptions => ({
  crs: crs ?? '',
  layer: layer ?? '',
  angles: angles ?? '',
  heightDatum: heightDatum ?? '',
  maxError: maxError == null ? '' : String(maxError),
  swapAxes,
})

/** The import options of the form. Empty values are omitted. */
export function toImportOptions({ crs, layer, angles, heightDatum, maxError, swapAxes }: ParseOptions) {
  return {
    ...(crs.trim() && { crs: crs.trim() }),
    ...(layer && { layer }),
    ...(angles && { angles: angles as keyof typeof texts.anglesKinds }),
    ...(heightDatum.trim() && { heightDatum: heightDatum.trim() }),
    swapAxes,
    ...(maxError.trim() && { maxError: Number(maxError.replace(',', '.')) }),
  }
}

type Props = {
  parseOptions: ParseOptions
  /** The names of the file's layers or sheets. */
  layers: string[]
  errors: Partial<Record<string, string>>
  isDisabled: boolean
  onChange: (parseOptions: ParseOptions) => void
}

export function ParseOptionsFields({ parseOptions, layers, errors, isDisabled, onChange }: Props) {
  const field = (name: keyof Texts) => ({
    value: parseOptions[name],
    disabled: isDisabled,
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...parseOptions, [name]: event.currentTarget.value }),
  })
  const text = (name: keyof Texts, description: string, placeholder: string) => ({
    ...field(name),
    description,
    placeholder,
    inputWrapperOrder: ['label', 'input', 'error', 'description'] as const satisfies string[],
  })
  return (
    <>
      {layers.length > 1 && (
        <NativeSelect
          label={texts.layer}
          data={[{ value: '', label: texts.layerNone }, ...layers.map((name) => ({ value: name, label: name }))]}
          {...field('layer')}
        />
      )}
      <TextInput label={texts.system} {...text('crs', texts.systemHow, 'EPSG:25833')} />
      <TextInput label={texts.heightDatum} {...text('heightDatum', texts.heightDatumHow, 'EGM96')} />
      <TextInput label={texts.maxError} {...text('maxError', texts.maxErrorHow, '5')} inputMode="decimal" />
      <NativeSelect
        label={texts.angles}
        data={[
          { value: '', label: texts.anglesOwn },
          ...Object.entries(texts.anglesKinds).map(([value, label]) => ({ value, label })),
        ]}
        {...field('angles')}
      />
      <Checkbox
        label={texts.swapAxes}
        description={texts.swapAxesHow}
        checked={parseOptions.swapAxes}
        disabled={isDisabled}
        onChange={({ currentTarget: { checked } }) => onChange({ ...parseOptions, swapAxes: checked })}
      />
    </>
  )
}
