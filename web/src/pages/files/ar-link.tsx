import type { UserFileDetail } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { saveFile } from '../../components/copy/save-file.ts'
import { Notice } from '../../components/feedback/notice.tsx'
import { notifyError } from '../../components/feedback/notify.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { messages } from '../../messages/index.ts'
import { loadSettings } from '../../session/console-settings.ts'
import classes from './file.module.css'
import { isGlb } from './model-types.ts'
import { QrCode, qrCodePng } from './qr-code.tsx'

const texts = messages.files.place

/** Files of private scans have signed URLs, so their AR page is not public. */
const isHidden = ({ url }: { url: string }) => new URL(url).search !== ''
const isLoopback = (host: string) => /^(localhost|127\.|\[::1\])/.test(host)

/** A QR code and link to the page that shows a model in AR. */
export function ArLink({ file }: { file: UserFileDetail }) {
  const settings = useQuery({ queryKey: ['settings'], queryFn: loadSettings, staleTime: Number.POSITIVE_INFINITY })
  if (!settings.data) return null
  const { host } = new URL(settings.data.publicUrl)
  const address = `${settings.data.publicUrl}/ar/${file.fileId}`
  const how = !isGlb(file) ? texts.howUsdz : file.conversion?.usdzUrl ? texts.how : texts.howGlb
  if (isHidden(file))
    return (
      <Panel title={texts.title}>
        <Notice tone="note">{texts.hidden}</Notice>
      </Panel>
    )
  const savePng = () => qrCodePng(address).then((png) => saveFile(png, `${file.fileName}.qr.png`), notifyError)
  return (
    <Panel title={texts.title}>
      <div className={classes.place}>
        <QrCode text={address} name={texts.qr} />
        <div className="stack">
          <p className="dim">{how}</p>
          <div className="row wrap">
            <CopyButton value={address} what={texts.linkOf} label />
            <Button size="xs" leftSection={<IconDownload size={14} aria-hidden />} onClick={savePng}>
              {texts.png}
            </Button>
          </div>
          <a href={`/ar/${file.fileId}`} target="_blank" rel="noreferrer">
            {texts.open}
          </a>
        </div>
      </div>
      {isLoopback(host) && (
        <div className={classes.under}>
          <Notice tone="warn">{texts.loopback(host)}</Notice>
        </div>
      )}
    </Panel>
  )
}
