import { translation } from '../catalogue'
import type en from '../en/editor-library'

export default translation<typeof en>({
  keepTitle: 'Guardar perguntas para outros formulários',
  keepAbout: 'Vão para a biblioteca de perguntas deste projeto, com as suas opções.',
  insertTitle: 'Inserir perguntas',
  insertAbout: 'Vêm depois da linha do cursor, com as suas opções.',
  name: 'Nome',
  nameHint: 'Como «Idade e sexo» ou «Consentimento».',
  pick: 'Que perguntas?',
  keep: 'Guardar',
  kept: '«{name}» está na biblioteca',
  from: 'De onde',
  library: 'Biblioteca de perguntas',
  otherForms: 'Outro formulário',
  emptyTitle: 'A biblioteca está vazia',
  emptyAbout: 'Guarde lá perguntas de um formulário, e o próximo tem-nas à mão.',
  questions: { one: '{n} pergunta', many: '{n} perguntas', other: '{n} perguntas' },
  insert: 'Inserir',
  inserted: { one: '{n} linha inserida', many: '{n} linhas inseridas', other: '{n} linhas inseridas' },
  removeOne: 'Remover «{name}» da biblioteca',
  removed: '«{name}» já não está na biblioteca',
  form: 'Formulário',
  chooseForm: 'Escolha um formulário',
  noWorkbook: 'Este formulário não tem folha de cálculo de onde tirar perguntas.',
  close: 'Fechar',
})
