import { translation } from '../catalogue'
import type en from '../en/project-settings'

export default translation<typeof en>({
  about: 'Sobre este projeto',
  name: 'Nome',
  description: 'Descrição',
  location: 'Lugar',
  locationHint: 'De onde vêm os dados: uma cidade, uma região, um país.',
  category: 'Tema',
  categoryHint: 'Por exemplo saúde, água, educação.',
  save: 'Guardar',
  saved: 'Guardado.',
  visibility: 'Quem o pode ver',
  private: 'Só aqueles com quem é partilhado',
  privateAbout: 'Mais ninguém fica a saber que existe.',
  public: 'Toda a gente',
  publicAbout:
    'Mesmo sem conta veem-se o nome, a descrição e os formulários públicos. Os registos ficam fechados, a não ser que um formulário os abra.',
  nowPublic: 'O projeto agora é público.',
  nowPrivate: 'O projeto agora está fechado.',
  labels: 'Etiquetas',
  labelsAbout: 'Palavras para encontrar e agrupar projetos.',
  newLabel: 'Nova etiqueta',
  add: 'Acrescentar',
  removeLabel: 'Retirar a etiqueta {label}',
  labelRemoved: 'A etiqueta “{label}” foi retirada.',
  noLabels: 'Ainda não há etiquetas.',
  transfer: 'Cedê-lo a outra conta',
  transferAbout:
    'O novo proprietário recebe tudo: formulários, registos e quem os pode ver. Só mantém acesso se ele o partilhar consigo.',
  newOwner: 'Nome de utilizador de uma pessoa ou organização',
  transferAction: 'Ceder',
  transferTitle: 'Ceder “{name}” a {owner}?',
  transferred: '“{name}” pertence agora a {owner}.',
  delete: 'Apagar este projeto',
  deleteAbout: {
    one: 'O seu formulário e todos os registos vão com ele. Não pode ser desfeito.',
    many: 'Os seus {n} formulários e todos os registos vão com ele. Não pode ser desfeito.',
    other: 'Os seus {n} formulários e todos os registos vão com ele. Não pode ser desfeito.',
  },
  deleteTitle: 'Apagar “{name}”?',
  deleted: '“{name}” foi apagado.',
})
