import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const FilePage = () => (
  <PageBody>
    <PageHead title="FilePage" />
  </PageBody>
)
