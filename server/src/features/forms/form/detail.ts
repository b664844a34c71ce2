// One form as a whole: as in a list, and what belongs to it.
import type { Deps } from '../../../platform/deps.js'
import type { Caller } from '../../../platform/http/index.js'
import { findVisibleProject } from '../../projects/index.js'
import { isSecretType, listMetadata, metadataView, missingFiles } from '../attached/index.js'
import { formModels } from '../versions/index.js'
import { countSubmissionsBetween, hasDraft, listVersionCounts } from './details.queries.js'
import { visibleDefinition } from './form.service.js'
import { type FormViewBody, formViews } from './form.views.js'

const dayMs = 24 * 60 * 60 * 1000

export const formDetail = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  origin: string,
  caller: Caller,
  pk: string,
): Promise<FormViewBody> => {
  const form = await visibleDefinition(db, caller, pk)
  const now = clock.now()
  const today = new Date(now.getTime() - (now.getTime() % dayMs))
  const counting = listVersionCounts(db, [form.id])
  const [views, metadata, counts, todayCount, { model }, project, isTried] = await Promise.all([
    formViews(db, { origin, now }, [form], counting),
    listMetadata(db, { formIds: [form.id] }),
    counting,
    countSubmissionsBetween(db, form.id, today, new Date(today.getTime() + dayMs)),
    formModels(db).get(db, form.id, form.versionNumber),
    findVisibleProject(db, caller, form.projectId),
    hasDraft(db, form.id),
  ])
  return {
    ...(views[0] as FormViewBody),
    metadata: metadata
      .filter(({ dataType }) => form.access.may('view') && (!isSecretType(dataType) || form.access.may('change')))
      .map((one) => metadataView(origin, one)),
    missing_files: missingFiles(model, metadata),
    form_versions: counts
      .filter(({ submissions }) => submissions > 0)
      .map(({ version, submissions }) => ({ version, total: submissions })),
    submission_count_for_today: todayCount,
    project_visible: project !== undefined,
    ...(form.access.may('manage') && { has_draft: isTried }),
  }
}
