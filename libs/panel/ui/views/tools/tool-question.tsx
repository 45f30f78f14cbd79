import { useSignal } from '@preact/signals';
import { Button } from '@fledge-internal/ui/controls';
import type { Question } from '../../api/mcp-call.js';
import { fieldsOf } from '../../form/field-model.js';
import { Fields } from '../../form/field-row.js';
import type { Arguments } from '../../format/tool-request.js';
import { Note } from '../../parts/blocks.js';
import { answerQuestions } from '../../state/tool-runs.js';

/** Shows the questions that a tool asks its user, with fields for the answers. */
export function ToolQuestion(props: {
  readonly tool: string;
  readonly questions: readonly Question[];
}) {
  const { tool, questions } = props;
  const contents = useSignal<Readonly<Record<string, Arguments>>>({});
  return (
    <>
      <div class="stat" role="status">
        <b>The tool asks you</b>
        <span class="sub">it runs again with the answer</span>
      </div>
      <form
        class="tp stack"
        onSubmit={(event) => {
          event.preventDefault();
          answerQuestions(tool, 'accept', contents.value);
        }}
      >
        {questions.map(({ key, message, schema }) => (
          <div key={key} class="stack">
            <p class="ask">{message}</p>
            {schema && (
              <Fields
                id={key}
                fields={fieldsOf(schema) ?? []}
                args={contents.value[key] ?? {}}
                onChange={(args) => (contents.value = { ...contents.value, [key]: args })}
              />
            )}
          </div>
        ))}
        <div class="row wrap">
          <Button look="pri" type="submit">
            Accept
          </Button>
          <Button onClick={() => answerQuestions(tool, 'decline', {})}>Decline</Button>
          <Button look="quiet" onClick={() => answerQuestions(tool, 'cancel', {})}>
            Cancel the question
          </Button>
        </div>
        <Note>The user of an agent sees this question.</Note>
      </form>
    </>
  );
}
