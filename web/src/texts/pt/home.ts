import { translation } from '../catalogue'
import type en from '../en/home'

export default translation<typeof en>({
  projects: 'Projetos',
  find: 'Procurar um projeto',
  found: { one: '{n} projeto', many: '{n} projetos', other: '{n} projetos' },
  forms: { one: '{n} formulário', many: '{n} formulários', other: '{n} formulários' },
  star: 'Marcar {name} como favorito',
  emptyTitle: 'Ainda não há projetos',
  emptyAbout: 'Um projeto reúne formulários, as suas respostas e as pessoas que trabalham com eles.',
})
