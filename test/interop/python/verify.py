"""Verifies a DSSE envelope with securesystemslib, and reads its payload as an in-toto test result.

    python verify.py vendor.pub envelope.json

Exit code 0: accepted, and the result is printed. 1: refused. 2: could not be tried.
"""

import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from google.protobuf import json_format
from in_toto_attestation.predicates.test_result.v0.test_result_pb2 import TestResult
from in_toto_attestation.v1.statement import Statement
from in_toto_attestation.v1.statement_pb2 import Statement as StatementMessage
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey


def main(key_file: str, envelope_file: str) -> int:
    key = SSlibKey.from_crypto(load_pem_public_key(Path(key_file).read_bytes()))
    key.keyid = ""  # as the signature has it: this library tries no key of another name
    envelope = Envelope.from_dict(json.loads(Path(envelope_file).read_text(encoding="utf-8")))
    try:
        envelope.verify([key], 1)
    except VerificationError as error:
        print("refused:", error, file=sys.stderr)
        return 1
    statement = StatementMessage()
    json_format.Parse(envelope.payload, statement)
    Statement.copy_from_pb(statement).validate()
    result = TestResult()
    json_format.ParseDict(json_format.MessageToDict(statement.predicate), result)
    print(result.result)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
