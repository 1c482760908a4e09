import { Button, Modal, Select, TextInput } from '@mantine/core'
import { IconFileExport } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { saveFile } from '../../components/copy/save-file.ts'
import { fieldErrors, formError } from '../../components/feedback/field-errors.ts'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const texts = messages.imports.export

type Format = keyof typeof texts.formats
const formats = Object.keys(texts.formats) as Format[]
const ENDINGS: Record<Format, string> = {
  csv: '.csv',
  xlsx: '.xlsx',
  geojson: '.geojson',
  gpkg: '.gpkg',
  shp: '.shp.zip',
  kml: '.kml',
  gpx: '.gpx',
  dxf: '.dxf',
  pnezd: ' pnezd.txt',
  gcp_list: ' gcp_list.txt',
  opensfm: ' ground_control_points.json',
}
/** Formats that always use WGS84, and formats that need a projected coordinate system. */
const WGS84_ONLY: Format[] = ['kml', 'gpx', 'opensfm']
const PLANE_ONLY: Format[] = ['dxf', 'pnezd']

/** Downloads a zone's control points in a chosen format and coordinate system. */
export function ExportZone({ zone, title }: { zone: number; title: string }) {
  const cairn = useCairn()
  const [isOpen, setIsOpen] = useState(false)
  const [format, setFormat] = useState<Format>('csv')
  const [crs, setCrs] = useState('')
  const system = WGS84_ONLY.includes(format) ? '' : crs.trim()
  const download = useMutation({
    mutationFn: () => cairn.gcps.export(zone, { format, ...(system && { crs: system }) }),
    onSuccess: (blob) => {
      saveFile(blob, `${title.replace(/[\\/]/g, '_')}${ENDINGS[format]}`)
      setIsOpen(false)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    download.mutate()
  }
  return (
    <>
      <Button size="xs" leftSection={<IconFileExport size={14} aria-hidden />} onClick={() => setIsOpen(true)}>
        {texts.open}
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={texts.title}>
        <form className="stack" onSubmit={submit}>
          <Select
            label={texts.format}
            data={formats.map((value) => ({ value, label: texts.formats[value] }))}
            value={format}
            allowDeselect={false}
            onChange={(value) => {
              setFormat(value as Format)
              download.reset()
            }}
          />
          <TextInput
            label={texts.crs}
            description={WGS84_ONLY.includes(format) ? texts.crsFixed : texts.crsHow}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            placeholder="EPSG:25833"
            disabled={WGS84_ONLY.includes(format)}
            required={PLANE_ONLY.includes(format)}
            value={crs}
            error={fieldErrors(download.error).crs ?? formError(download.error, ['crs'])}
            onChange={(event) => setCrs(event.currentTarget.value)}
          />
          <Button type="submit" loading={download.isPending}>
            {texts.download}
          </Button>
        </form>
      </Modal>
    </>
  )
}
