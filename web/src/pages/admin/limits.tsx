import { useQuery } from '@tanstack/react-query'
import { formatBytes, formatNumber } from '../../components/data/format.ts'
import { Table } from '../../components/data/table.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { QueryResult } from '../../components/query/query-result.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const texts = messages.admin.limits

/** The current limits and the settings that change them. */
export function Limits() {
  const cairn = useCairn()
  const query = useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => cairn.box.limits({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Panel flush title={texts.title} beside={texts.sub}>
      <QueryResult query={query}>
        {({ limits }) => (
          <Table label={texts.title}>
            <thead>
              <tr>
                <th>{texts.what}</th>
                <th className="num">{texts.value}</th>
                <th className="wide-only">{texts.setting}</th>
              </tr>
            </thead>
            <tbody>
              {limits.map((limit) => {
                const { setting, value, unit } = limit
                const [name, description] = texts.named(setting) ?? [limit.name, limit.description]
                return (
                  <tr key={setting}>
                    <td>
                      <div>{name}</div>
                      <div className="small dim">{description}</div>
                    </td>
                    <td className="num" style={{ whiteSpace: 'normal', minWidth: '6.5rem' }}>
                      {amountOf(value, unit)}
                    </td>
                    <td className="wide-only wrapped mono dim">{setting}</td>
                  </tr>
                )
              })}
            </tbody>
          </Table>
        )}
      </QueryResult>
    </Panel>
  )
}

/** Units such as `bytes an hour` are formatted as a size. */
const amountOf = (value: number, unit: string): string =>
  unit.startsWith('bytes')
    ? texts.unit(unit).replace(texts.unit('bytes'), formatBytes(value))
    : `${formatNumber(value)} ${texts.unit(unit)}`
