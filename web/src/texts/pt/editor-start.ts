import { translation } from '../catalogue'
import type en from '../en/editor-start'

export default translation<typeof en>({
  untitled: 'Formulário sem título',
  goOnTitle: '«{title}» ainda não está guardado',
  goOnAbout: 'Este navegador manteve o que escreveu. Escreveu pela última vez:',
  goOn: 'Continuar',
  dropWork: 'Deitar fora',
  blank: 'Começar do zero',
  blankAbout: 'Um formulário vazio. Adicione uma pergunta após a outra e veja o formulário ao lado.',
  upload: 'Abrir uma folha de cálculo',
  uploadHint: 'Um XLSForm: .xlsx ou .csv. Os erros são mostrados onde estão, para corrigir aqui.',
  templates: 'Começar com um modelo',
  take: 'Usar',
  look: 'Ver por dentro',
  questions: { one: '{n} pergunta', many: '{n} perguntas', other: '{n} perguntas' },
  fromForm: 'Começar com outro formulário',
  fromFormAbout: 'Uma cópia das suas perguntas. O outro formulário fica como está.',
  form: 'Formulário',
  chooseForm: 'Escolha um formulário',
  copyOf: '{title} (cópia)',
  noWorkbook: 'Este formulário não tem folha de cálculo com que começar.',
  fromLibrary: 'Começar com a biblioteca de perguntas',
  fromLibraryAbout: 'Perguntas que alguém deste projeto guardou.',
  finished: 'Publicar um ficheiro pronto',
  finishedAbout: 'Um XLSForm ou XForm que não precisa de mudanças é publicado logo.',
  oldExcel:
    'É um ficheiro do Excel antigo (.xls), que os navegadores não leem. Abra-o no Excel ou no LibreOffice, escolha «Guardar como», tome .xlsx e largue esse ficheiro aqui. Ou publique o ficheiro como está: o servidor lê-o.',
  publishFile: 'Publicar um ficheiro',
  close: 'Fechar',
})
