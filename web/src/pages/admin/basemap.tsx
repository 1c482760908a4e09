import type { Basemap } from '@cairn/sdk'
import { Button, Radio, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArchiveUpload } from '../../components/basemap/archive-upload.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { formatBytes } from '../../components/data/format.ts'
import { DeleteRecord } from '../../components/feedback/delete-record.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { notifySuccess } from '../../components/feedback/notify.ts'
import { useDraft } from '../../components/feedback/use-draft.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { QueryResult } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const texts = messages.admin.basemap
const KEY = ['basemap', 'choice']
const SETTINGS = 'settings'
type Source = NonNullable<Basemap['source']>

/** The basemap of the console, which ops choose. */
export function BasemapPanel() {
  const cairn = useCairn()
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => cairn.box.basemap({ signal }) })
  const shown = query.data?.shown
  return (
    <Panel title={texts.title} beside={shown && <Badge tone="plain">{texts.shown[shown]}</Badge>}>
      <QueryResult query={query}>{(basemap) => <Choice basemap={basemap} />}</QueryResult>
    </Panel>
  )
}

function Choice({ basemap }: { basemap: Basemap }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const { fields, set, forget } = useDraft<{ source: Source | typeof SETTINGS; styleUrl: string }>({
    source: basemap.source ?? SETTINGS,
    styleUrl: basemap.styleUrl ?? '',
  })
  const { source, styleUrl } = fields
  const save = useMutation({
    mutationFn: () =>
      cairn.box.setBasemap({
        source: source === SETTINGS ? null : source,
        ...(source === 'style' ? { styleUrl } : {}),
      }),
    onMutate: () => fields,
    onSuccess: (changed, _, sent) => {
      queries.setQueryData(KEY, changed)
      forget(sent)
      notifySuccess(texts.saved)
    },
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <p className="dim small">{texts.sub}</p>
      <Radio.Group aria-label={texts.choose} value={source} onChange={(next) => set({ source: next as Source })}>
        <div className="stack">
          <Radio value={SETTINGS} label={texts.settings} description={texts.settingsText} />
          <Radio value="none" label={texts.none} />
          <Radio value="file" label={texts.file} description={texts.fileText} />
          <Radio value="style" label={texts.style} description={texts.styleText} />
        </div>
      </Radio.Group>
      {source === 'style' && (
        <TextInput
          type="url"
          label={texts.styleUrl}
          value={styleUrl}
          onChange={(event) => set({ styleUrl: event.currentTarget.value })}
          placeholder="https://tiles.example/style.json"
          required
        />
      )}
      <p className="faint small">{fileText(basemap.file)}</p>
      {source === 'file' && (
        <div className="row wrap">
          <ArchiveUpload basemap={basemap} />
          {basemap.file.name !== null && (
            <DeleteRecord
              name={basemap.file.name}
              texts={texts.remove}
              onDelete={() => cairn.box.deleteBasemapArchive()}
              onDone={() => queries.invalidateQueries({ queryKey: KEY })}
            />
          )}
        </div>
      )}
      {save.error && <Failure error={save.error} title={messages.common.notSaved} />}
      <div>
        <Button type="submit" loading={save.isPending}>
          {texts.save}
        </Button>
      </div>
    </form>
  )
}

function fileText({ state, name, bytes, fault, minZoom, maxZoom }: Basemap['file']): string {
  if (state === 'none') return texts.noFile
  if (state === 'reading') return texts.reading(name ?? '')
  if (state === 'unusable') return texts.unusable(name ?? '', fault ?? '')
  return texts.ready(name ?? '', formatBytes(bytes ?? 0), minZoom ?? 0, maxZoom ?? 0)
}
