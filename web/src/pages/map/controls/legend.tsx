import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { messages } from '../../../messages/index.ts'
import { loadSettings } from '../../../session/console-settings.ts'
import { useRoles } from '../../../session/session.tsx'
import type { Layer } from '../url-state.ts'
import classes from './map-controls.module.css'

const texts = messages.map.legend

/** Explains the shapes on the map. */
export function Legend({
  layers,
  hasRadius,
  hasVisits,
  models,
}: {
  layers: Layer[]
  hasRadius: boolean
  hasVisits: boolean
  models: { drawn: number; left: number }
}) {
  return (
    <div className={`${classes.legend} wide-only`}>
      {layers.includes('pins') && entry(classes.legendPin, texts.pin)}
      {layers.includes('pins') && hasRadius && entry(classes.legendOutside, texts.outside)}
      {layers.includes('gcps') && entry(classes.legendTag, texts.gcp, '8')}
      {layers.some((layer) => layer !== 'zones') && entry(classes.legendCluster, texts.cluster)}
      {layers.includes('zones') && entry(classes.legendZone, texts.zone)}
      {hasVisits && entry(classes.legendHeat, texts.visits)}
      {layers.includes('scans') && entry(classes.legendScan, texts.scan)}
      {models.drawn > 0 && entry(classes.legendModel, texts.model)}
      {models.left > 0 && <span>{texts.modelsLeft(models.left, formatNumber(models.left))}</span>}
    </div>
  )
}

const entry = (className: string | undefined, label: string, inside?: string) => (
  <span key={label}>
    <i className={`${className} drawn`} aria-hidden>
      {inside}
    </i>
    {label}
  </span>
)

const DISMISSED_KEY = 'cairn-streets-told'

/** Explains how to add streets, until dismissed. */
export function StreetsHint() {
  const { data: settings } = useQuery({ queryKey: ['settings'], queryFn: loadSettings })
  const [isTold, setIsTold] = useState(() => localStorage.getItem(DISMISSED_KEY) !== null)
  const { isOps } = useRoles()
  if (isTold || !settings || settings.mapStyleUrl || settings.mapArchive) return null
  const close = () => {
    localStorage.setItem(DISMISSED_KEY, '1')
    setIsTold(true)
  }
  return (
    <div className={`${classes.hint} wide-only`}>
      <span>
        {texts.streets} {isOps ? <Link to="/health">{texts.chooseStreets}</Link> : texts.askForStreets}
      </span>
      <CloseButton size={26} aria-label={messages.common.close} onClick={close} />
    </div>
  )
}
