import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const MapPage = () => (
  <PageBody>
    <PageHead title="MapPage" />
  </PageBody>
)
