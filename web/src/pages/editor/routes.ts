import type { RouteRecordRaw } from 'vue-router'
import { mayInProject } from '@/api/projects'
import { keptProjects } from '@/api/projects-kept'
import { edit, plus } from '@/look/icons'
import type { PaletteSource } from '@/parts/palette'
import { useTexts } from '@/texts'
import en from '@/texts/en/editor-links'

const t = useTexts(en)

// One component for both: a new form that is saved goes on at the address of the form, with all that can be taken back.
const editor = () => import('./editor.vue')

export const routes: RouteRecordRaw[] = [
  {
    path: '/forms/:formId(\\d+)/edit',
    component: editor,
    props: ({ params }) => ({ formId: Number(params.formId) }),
  },
  {
    path: '/projects/:id(\\d{1,10})/new',
    component: editor,
    props: ({ params }) => ({ projectId: Number(params.id) }),
  },
]

/** In projects where the person may make and replace forms. */
const find = async (text: string) => {
  if (text === '') return []
  const projects = (await keptProjects()).filter((project) => mayInProject(project, 'manage'))
  return projects.flatMap(({ projectid, name, forms }) => [
    { id: `new-${projectid}`, label: t('newIn', { project: name }), icon: plus, to: `/projects/${projectid}/new` },
    ...forms.map((form) => ({
      id: `edit-${form.formid}`,
      label: t('editForm', { form: String(form.name ?? form.formid) }),
      about: name,
      icon: edit,
      to: `/forms/${form.formid}/edit`,
    })),
  ])
}

export const palette: PaletteSource[] = [{ name: 'editor', label: () => t('editor'), isLast: true, find }]
