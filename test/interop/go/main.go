// Verifies a DSSE envelope with the reference library of the DSSE authors:
//
//	verify vendor.pub envelope.json
//
// Exit code 0: accepted, and the payload is printed. 1: refused. 2: could not be tried.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"github.com/secure-systems-lab/go-securesystemslib/signerverifier"
)

func main() {
	verifier, envelope, err := read(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "could not be tried:", err)
		os.Exit(2)
	}
	_, payload, err := verifier.VerifyAndDecode(context.Background(), envelope)
	if err != nil {
		fmt.Fprintln(os.Stderr, "refused:", err)
		os.Exit(1)
	}
	fmt.Println(string(payload))
}

func read(arguments []string) (*dsse.EnvelopeVerifier, *dsse.Envelope, error) {
	if len(arguments) != 2 {
		return nil, nil, errors.New("name a public key and an envelope")
	}
	pem, err := os.ReadFile(arguments[0])
	if err != nil {
		return nil, nil, err
	}
	key, err := signerverifier.LoadKey(pem)
	if err != nil {
		return nil, nil, err
	}
	ed25519, err := signerverifier.NewED25519SignerVerifierFromSSLibKey(key)
	if err != nil {
		return nil, nil, err
	}
	verifier, err := dsse.NewEnvelopeVerifier(ed25519)
	if err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(arguments[1])
	if err != nil {
		return nil, nil, err
	}
	var envelope dsse.Envelope
	return verifier, &envelope, json.Unmarshal(text, &envelope)
}
